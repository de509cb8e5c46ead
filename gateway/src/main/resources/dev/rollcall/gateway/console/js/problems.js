// What a failed request is called, and what somebody can do about it.

/** How the API begins to tell that there is no such path. */
const NO_PATH = 'nothing is at ';

/** `unproved`: a token may help. `kind` is absent, missing, refused, busy, wrong, failed or unreachable. */
export function problem(status, body) {
  const told = body?.error?.message || '';
  if (status === 501 || (status === 404 && (!told || told.startsWith(NO_PATH)))) {
    return { kind: 'absent', words: 'This gateway does not report it.', told };
  }
  if (status === 404) {
    return { kind: 'missing', words: 'It does not exist, or you may not see it.', told };
  }
  if (status === 401) {
    return {
      kind: 'refused',
      unproved: true,
      words: 'The gateway did not authenticate you. Import an administrator’s certificate into this browser (rollcall ca issue administrator NAME; docs/console.md) and reload the page. If this gateway accepts tokens, you can use one (rollcall token).',
      told,
    };
  }
  if (status === 403) {
    return {
      kind: 'refused',
      words: 'The gateway does not permit this request. Use an administrator’s certificate, and open the page by the gateway’s own name or, on the gateway itself, by 127.0.0.1.',
      told,
    };
  }
  if (status === 429) {
    return { kind: 'busy', words: 'The gateway limits your requests.', told };
  }
  if (status === 400) {
    return { kind: 'wrong', words: 'The gateway rejects this request.', told };
  }
  return { kind: 'failed', words: `The gateway answers ${status}.`, told };
}

export function unreachable() {
  return {
    kind: 'unreachable',
    words: 'The gateway does not answer. Is it running, and does this machine reach it?',
    told: '',
  };
}

export function inWords({ words, told }) {
  return told ? `${words} It says: ${told}` : words;
}
