// What a text in the search box can mean. Pure.

const PREFIX = /^(job|user|uid|pid|process|node)(?:\s*[:=#]\s*|\s+)(.+)$/i;
const NUMBER = /^[0-9]{1,20}$/;
const BETWEEN = /\s*(?:→|->|,|\s)\s*/;
const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A list of { kind, ... }: pair, job, user, pid, node; empty if it can be none of them. */
export function meanings(text) {
  const query = text.trim();
  const connection = pair(query);
  if (connection) {
    return [{ kind: 'pair', ...connection }];
  }
  const named = PREFIX.exec(query);
  if (named) {
    return ofKind(named[1].toLowerCase(), named[2].trim());
  }
  if (NUMBER.test(query)) {
    return [{ kind: 'job', id: query }, { kind: 'user', uid: query, name: '' }, { kind: 'pid', pid: query, node: '' }];
  }
  return NODE_NAME.test(query) ? [{ kind: 'node', name: query }, { kind: 'user', uid: '', name: query }] : [];
}

function ofKind(kind, rest) {
  switch (kind) {
    case 'job':
      return NUMBER.test(rest) ? [{ kind: 'job', id: rest }] : [];
    case 'user':
    case 'uid':
      return [NUMBER.test(rest) ? { kind: 'user', uid: rest, name: '' } : { kind: 'user', uid: '', name: rest }];
    case 'pid':
    case 'process': {
      const [pid, node = ''] = rest.split(/\s+(?:on\s+|at\s+)?|@/);
      return NUMBER.test(pid) ? [{ kind: 'pid', pid, node }] : [];
    }
    default:
      return [{ kind: 'node', name: rest }];
  }
}

/** Two ends with ports, the caller's first; null if it is not that. */
function pair(query) {
  const ends = query.split(BETWEEN).map(endpoint);
  return ends.length === 2 && ends.every(Boolean) ? { local: ends[0], remote: ends[1] } : null;
}

/** "10.0.0.1:22" or "[fd77::1]:22". */
function endpoint(text) {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):([0-9]{1,5})$/.exec(text);
  return parts && Number(parts[3]) < 65_536 ? { address: parts[1] ?? parts[2], port: Number(parts[3]) } : null;
}
