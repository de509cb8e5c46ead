// Follows a stream of the gateway: server-sent events, read by fetch, because an EventSource
// tells neither the status nor the words of a refusal.

import { address, read } from './api.js';
import { problem, unreachable } from './problems.js';
import { bearing } from './token.js';

/** The gateway says every 15 s that it is there. */
const LONGEST_SILENCE = 40_000;

/** Calls `opened`, then `told` with each message; returns why it has ended: also if `opened` returns a problem. */
export async function follow(path, parameters, signal, opened, told) {
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), LONGEST_SILENCE);
  };
  heard();
  try {
    const response = await fetch(address(path, parameters), {
      signal: both,
      cache: 'no-store',
      headers: bearing({ accept: 'text/event-stream' }),
    }).catch(() => null);
    if (!response) {
      return unreachable();
    }
    if (!response.ok) {
      return problem(response.status, await read(response).catch(() => ({})));
    }
    const failed = Promise.resolve(opened()).then((failure) => failure ?? new Promise(() => {}));
    return await Promise.race([events(response.body, heard, told), failed]);
  } finally {
    clearTimeout(timer);
  }
}

/** As https://html.spec.whatwg.org/multipage/server-sent-events.html, of what the gateway uses. */
async function events(body, heard, told) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    // A connection that breaks is an end, like any other.
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    if (done) {
      return unreachable();
    }
    heard();
    const parts = (rest + value).split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const event = parse(part);
      if (event.type === 'failure') {
        const failure = JSON.parse(event.data);
        return problem(failure.error.code, failure);
      }
      if (event.data) {
        told(JSON.parse(event.data));
      }
    }
  }
}

function parse(text) {
  const event = { type: 'message', data: '' };
  for (const line of text.split('\n')) {
    if (line.startsWith('data: ')) {
      event.data += line.slice(6);
    } else if (line.startsWith('event: ')) {
      event.type = line.slice(7);
    }
  }
  return event;
}
