// The cluster at a glance.

import { adoptionColumns } from './columns.js';
import { element, link, say, section } from './element.js';
import { Table } from './table.js';
import * as words from './words.js';

const MINUTE = 60_000;
const LATEST = 10;
/** Reasons of decisions whose caller is not known. */
const GUESSES = new Set(['newest-job', 'caller-unknown']);

export function overview(cluster) {
  const figures = new Map();
  const figure = (name, href) => {
    const value = element('strong');
    const detail = element('span', { class: 'quiet' });
    figures.set(name, { value, detail });
    return element('div', {}, element('dt', {}, link(href, name)), element('dd', {}, value, ' ', detail));
  };
  const attention = element('ul', { class: 'attention' });
  const gateways = new Table({
    caption: 'Gateways and the nodes that are connected to them',
    columns: [
      { title: 'Gateway', text: ([gateway]) => gateway || 'none' },
      { title: 'Connected', text: ([, of]) => String(of.connected), value: ([, of]) => of.connected, number: true },
      { title: 'Lost', text: ([, of]) => String(of.lost), value: ([, of]) => of.lost, number: true },
      { title: 'Jobs', text: ([, of]) => String(of.jobs), value: ([, of]) => of.jobs, number: true },
      { title: 'Agents', text: ([, of]) => [...of.versions].sort().join(', '), wide: true },
      { title: 'Version', text: ([, of]) => of.version, wide: true },
      { title: 'Certificate until', text: ([, of]) => words.day(of.ends), show: ([, of]) => words.farTime(of.ends), wide: true },
    ],
    key: ([gateway]) => gateway,
    one: 'gateway',
    empty: () => emptyNodes(cluster),
    order: 'Gateway',
    filtered: false,
  });
  const sessions = new Table({
    caption: 'The latest decisions about sessions',
    columns: adoptionColumns(cluster),
    key: (one) => `${one.node} ${one.adoptionId}`,
    one: 'decision',
    empty: () => emptyAdoptions(cluster),
    filtered: false,
  });
  const all = section(
    2,
    'Overview',
    element('dl', { class: 'figures' }, figure('Nodes', '#/nodes'), figure('Jobs', '#/jobs'), figure('Calls', '#/calls'), figure('Adoptions', '#/adoptions')),
    section(3, 'To look at', attention),
    section(3, 'Gateways', gateways.element),
    section(3, 'Latest sessions', sessions.element),
  );
  return {
    title: 'Overview',
    element: all,
    update() {
      for (const [name, { value, detail }] of Object.entries(glance(cluster))) {
        say(figures.get(name).value, value);
        say(figures.get(name).detail, detail);
      }
      addFindings(attention, findings(cluster));
      gateways.show([...byGateway(cluster)]);
      sessions.show(cluster.latestAdoptions().slice(0, LATEST));
    },
    stop() {},
  };
}

function glance(cluster) {
  const nodes = [...cluster.nodes.values()];
  const lost = nodes.filter((node) => words.nodeState(node) === 'lost').length;
  const jobs = cluster.jobsByNumber();
  const calls = cluster.calls.filter(({ at }) => Date.now() - at < MINUTE).length;
  const adoptions = [...cluster.adoptions.values()];
  const denied = adoptions.filter((one) => words.outcome(one) === 'denied').length;
  return {
    Nodes: cluster.loaded.nodes
      ? { value: (nodes.length - lost).toLocaleString('en'), detail: `connected, ${lost.toLocaleString('en')} lost` }
      : { value: '', detail: 'not known yet' },
    Jobs: cluster.loaded.jobs
      ? { value: jobs.size.toLocaleString('en'), detail: states(cluster.jobs.values()) }
      : { value: '', detail: 'not known yet' },
    Calls: { value: calls.toLocaleString('en'), detail: `in the last minute, to tracked ports${live(cluster.sources.calls)}` },
    Adoptions:
      cluster.sources.adoptions.state === 'absent'
        ? { value: '', detail: 'not reported by this gateway' }
        : { value: adoptions.length.toLocaleString('en'), detail: `recent sessions, ${denied.toLocaleString('en')} denied` },
  };
}

function live(source) {
  return source.state === 'broken' || source.state === 'refused' ? ', not live' : '';
}

/** How many places of jobs are in each state. */
function states(jobs) {
  const counts = new Map();
  for (const job of jobs) {
    const state = words.jobState(job);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const told = [...counts].map(([state, number]) => `${number.toLocaleString('en')} ${state}`).join(', ');
  return told ? `on nodes: ${told}` : 'none';
}

/** Also gateways without nodes, and those that left lost nodes behind. */
function byGateway(cluster) {
  const empty = () => ({ connected: 0, lost: 0, jobs: 0, versions: new Set(), version: '', ends: undefined });
  const gateways = new Map();
  for (const { gateway, version, certificateEndsAt } of cluster.gateways.gateways) {
    gateways.set(gateway, { ...empty(), version, ends: certificateEndsAt });
  }
  for (const node of cluster.nodes.values()) {
    const of = gateways.get(node.gateway) ?? empty();
    of[words.nodeState(node) === 'lost' ? 'lost' : 'connected']++;
    of.jobs += node.jobs;
    of.versions.add(node.version);
    gateways.set(node.gateway, of);
  }
  return gateways;
}

/** What somebody on call would want to know first: [text, address]. */
function findings(cluster) {
  const nodes = [...cluster.nodes.values()];
  const connected = nodes.filter((node) => words.nodeState(node) === 'connected');
  const found = [];
  const add = (number, one, many, what, href) => {
    if (number > 0) {
      found.push([`${words.count(number, one, many)} ${what}`, href]);
    }
  };
  add(nodes.length - connected.length, 'node is', 'nodes are', 'lost: no agent was heard within the lease', '#/nodes');
  add([...cluster.jobs.values()].filter((job) => job.stale).length, 'job', 'jobs', 'on lost nodes: the last report is shown', '#/jobs');
  add(connected.filter((node) => node.callSource !== 'sock_ops').length, 'node sees', 'nodes see', 'calls without BPF: slower, and not all', '#/nodes');
  const adoptions = [...cluster.adoptions.values()];
  add(adoptions.filter((one) => words.outcome(one) === 'denied').length, 'session was', 'sessions were', 'denied lately', '#/adoptions');
  add(adoptions.filter((one) => words.outcome(one) === 'failed').length, 'session was', 'sessions were', 'not decided by the agent lately', '#/adoptions');
  add(adoptions.filter((one) => GUESSES.has(one.reason)).length, 'session was', 'sessions were', 'decided without a known caller', '#/adoptions');
  const versions = new Set(connected.map((node) => node.version));
  if (versions.size > 1) {
    found.push([`Agents of ${versions.size} versions: ${[...versions].sort().join(', ')}`, '#/nodes']);
  }
  return found;
}

function addFindings(list, found) {
  const text = JSON.stringify(found);
  if (list.dataset.found !== text) {
    list.dataset.found = text;
    list.replaceChildren(...(found.length > 0 ? found.map(([what, href]) => element('li', {}, link(href, what))) : [element('li', {}, 'Nothing stands out.')]));
  }
}

/** Why there is no node to show. Who may see none is told none, too. */
export function emptyNodes(cluster) {
  if (!cluster.loaded.nodes) {
    return 'Not known yet.';
  }
  return 'No node is connected to this cluster, or you may see none: administrators see all.';
}

export function emptyAdoptions(cluster) {
  const { state, problem } = cluster.sources.adoptions;
  if (state === 'absent') {
    return `This gateway does not report adoptions${problem?.told ? ` (it says: ${problem.told})` : ''}. The agent’s log on each node shows them.`;
  }
  return state === 'live' ? 'No recent decision about a session.' : 'Not known: see above.';
}
