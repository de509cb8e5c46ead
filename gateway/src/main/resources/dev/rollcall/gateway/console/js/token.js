// The token by which this page asks, where somebody gave one. It stays in this tab, and ends with it.

const KEY = 'rollcall-token';

export function keep(text) {
  sessionStorage.setItem(KEY, text);
}

/** The headers of a request, and the token if there is one. */
export function bearing(headers = {}) {
  const token = sessionStorage.getItem(KEY);
  return token ? { ...headers, authorization: `Bearer ${token}` } : headers;
}
