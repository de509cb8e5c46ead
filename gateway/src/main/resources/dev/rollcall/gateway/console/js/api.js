// Asks the gateway by its own JSON API, and by nothing else.

import { problem, unreachable } from './problems.js';
import { bearing } from './token.js';

/**
 * Returns { answer } or { problem }; throws only if the signal has ended the request.
 *
 * @returns {Promise<{ answer?: any, problem?: any }>}
 */
export async function ask(path, parameters = {}, signal = undefined) {
  let response;
  let body;
  try {
    response = await fetch(address(path, parameters), { signal, cache: 'no-store', headers: bearing() });
    body = await read(response);
  } catch (failure) {
    if (failure.name === 'AbortError') {
      throw failure;
    }
    return { problem: unreachable() };
  }
  return response.ok ? { answer: body } : { problem: problem(response.status, body) };
}

/**
 * All parts of a list: { items } or { problem }.
 *
 * @returns {Promise<{ items?: any[], problem?: any }>}
 */
export async function askAll(path, name, parameters = {}, signal = undefined) {
  const items = [];
  let token = '';
  do {
    const part = await ask(path, { ...parameters, page_token: token }, signal);
    if (part.problem) {
      return part;
    }
    items.push(...part.answer[name]);
    token = part.answer.nextPageToken;
  } while (token);
  return { items };
}

export function address(path, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== '' && value !== undefined),
  ).toString();
  return query ? `${path}?${query}` : path;
}

/** An answer without JSON is of something between here and the gateway. */
export async function read(response) {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return response.ok ? Promise.reject(new TypeError('no JSON')) : {};
  }
}
