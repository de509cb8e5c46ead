// Looks for what was written into the search box, as everything that it can mean.

import { ask } from './api.js';
import { adoptionColumns } from './columns.js';
import { element, section } from './element.js';
import { jobColumns } from './jobs-view.js';
import { findPid } from './pid-search.js';
import { emptyAdoptions } from './overview.js';
import { inWords } from './problems.js';
import { meanings } from './query.js';
import { Table } from './table.js';
import * as words from './words.js';

const MOST_NODES = 50;

export function searchView(cluster, parameters) {
  const text = parameters.get('q') ?? '';
  const abort = new AbortController();
  const found = meanings(text).map((meaning) => KINDS[meaning.kind](cluster, meaning, abort.signal));
  const help = element(
    'p',
    {},
    'Search for a connection, such as “10.0.0.1:40312 10.0.0.2:22” with the caller’s end first. Search for “job 41”, “user 1001”, “pid 4711” or “pid 4711 on node1”, or for part of a node’s name. A plain number is searched as a job, a user and a pid.',
  );
  return {
    title: `Search: ${text}`,
    element: section(2, `Search: ${text}`, ...(found.length > 0 ? found.map(({ element: part }) => part) : [help])),
    update: () => found.forEach(({ update }) => update()),
    stop: () => abort.abort(),
  };
}

const KINDS = { pair: ofPair, job: ofJob, user: ofUser, pid: ofPid, node: ofNode };

function ofPair(cluster, { local, remote }, signal) {
  const body = element('div', { role: 'status' }, 'Waiting for the gateway.');
  identify(cluster, { local, remote }, signal)
    .then((answer) => body.replaceChildren(answer))
    .catch(ignoreAbort);
  return { element: section(3, `Who opened ${words.connection({ local, remote })}`, body), update() {} };
}

/** The pair may have been written the other way round: then the other way is asked, too. */
async function identify(cluster, connection, signal) {
  const first = await caller(connection, signal);
  if (first.problem) {
    return element('p', { class: 'problem' }, inWords(first.problem));
  }
  if (first.answer.found) {
    return told(cluster, connection, first.answer.found);
  }
  const turned = { local: connection.remote, remote: connection.local };
  const second = await caller(turned, signal);
  if (second.answer?.found) {
    return told(cluster, turned, second.answer.found);
  }
  const { unknown, unreachable } = first.answer;
  return element(
    'p',
    {},
    unreachable
      ? `The node that knows the caller is not reachable: ${unreachable.reason}. A retry may help.`
      : `Its caller is unknown, in either direction: ${unknown.reason}.`,
  );
}

async function caller({ local, remote }, signal) {
  const { answer, problem } = await ask(
    '/v1/callers:identify',
    {
      'connection.protocol': 'PROTOCOL_TCP',
      'connection.local.address': local.address,
      'connection.local.port': local.port,
      'connection.remote.address': remote.address,
      'connection.remote.port': remote.port,
    },
    signal,
  );
  return problem ? { problem } : { answer: answer.answer };
}

function told(cluster, connection, who) {
  const fact = (title, value) => element('div', {}, element('dt', {}, title), element('dd', {}, value));
  return element(
    'dl',
    { class: 'facts' },
    fact('Job and step', who.job ? words.jobLink(who.job.jobId, words.step(who.job)) : 'in no job'),
    fact('User', words.userLink(who.uid, cluster.userName(who.uid))),
    fact('Node', words.nodeLink(who.node)),
    fact('Pid', String(who.process?.pid ?? 'not told')),
    fact('Called', words.time(who.calledAt)),
    fact('Connection', words.connection(connection)),
    fact('Cluster', who.cluster),
  );
}

function ofJob(cluster, { id }) {
  return jobs(cluster, `Job ${id}`, 'No job has this number.', ([number]) => number === id);
}

/** By number, or by the name that a node sent: jobs, and decisions about sessions, also of users without a job. */
function ofUser(cluster, { uid, name }) {
  const none = uid ? 'No job of this user is known.' : 'No job of a user with this name is known. Nodes send names as far as they have them: search also for “user” and the uid.';
  const title = uid ? `User ${cluster.userName(Number(uid))}` : `User “${name}”`;
  const found = jobs(cluster, title, none, ([, [job]]) => (uid ? String(job.uid) === uid : job.user === name));
  const sessions = new Table({
    caption: `Decisions about sessions: ${title}`,
    columns: adoptionColumns(cluster),
    key: (one) => `${one.node} ${one.adoptionId}`,
    one: 'decision',
    empty: () => emptyAdoptions(cluster),
    order: '-Time',
    filtered: false,
  });
  found.element.append(sessions.element);
  return {
    element: found.element,
    update() {
      found.update();
      sessions.show(cluster.latestAdoptions().filter((one) => (uid ? String(one.uid) === uid : one.user === name)));
    },
  };
}

function jobs(cluster, title, none, matches) {
  const table = new Table({
    caption: title,
    columns: jobColumns(),
    key: ([number]) => number,
    one: 'job',
    empty: () => (cluster.loaded.jobs ? none : 'Not known yet.'),
    order: 'Job',
    filtered: false,
  });
  return { element: section(3, title, table.element), update: () => table.show([...cluster.jobsByNumber()].filter(matches)) };
}

function ofNode(cluster, { name }) {
  const list = element('ul', { class: 'names' });
  let shown;
  return {
    element: section(3, `Nodes with “${name}”`, list),
    update() {
      const names = [...cluster.nodes.keys()].filter((node) => node.toLowerCase().includes(name.toLowerCase())).sort();
      const text = JSON.stringify([names, cluster.loaded.nodes]);
      if (text !== shown) {
        shown = text;
        list.replaceChildren(...items(cluster, names));
      }
    },
  };
}

function items(cluster, names) {
  if (names.length === 0) {
    return [element('li', {}, cluster.loaded.nodes ? 'No node has this name.' : 'Not known yet.')];
  }
  const more = names.length - MOST_NODES;
  return [...names.slice(0, MOST_NODES).map((node) => element('li', {}, words.nodeLink(node))), ...(more > 0 ? [element('li', {}, `and ${words.count(more, 'other')}: enter more of the name`)] : [])];
}

function ofPid(cluster, meaning, signal) {
  return findPid(cluster, meaning, signal);
}

function ignoreAbort(failure) {
  if (failure.name !== 'AbortError') {
    throw failure;
  }
}
