// Who calls whom: the pairs of nodes as a graph and as a table, and the calls one by one.

import { callColumns, place } from './columns.js';
import { element, say, section } from './element.js';
import { Graph, MOST_PAIRS } from './graph.js';
import { Table } from './table.js';
import * as words from './words.js';

const MINUTE = 60_000;
const PERIODS = [1, 5, 15, 60];
const USUAL = 5;
/** One by one; the pairs are of all. */
const MOST_LISTED = 2_000;

export function callsView(cluster) {
  const period = element('select', { id: 'period' }, ...PERIODS.map((minutes) => element('option', { value: minutes, selected: minutes === USUAL }, words.count(minutes, 'minute'))));
  const scope = element('p', { class: 'quiet' });
  const graph = new Graph((name) => (cluster.nodes.has(name) ? `#/nodes/${encodeURIComponent(name)}` : null));
  const pairs = new Table({
    caption: 'Pairs of nodes',
    columns: [
      { title: 'From', text: ({ from }) => from, show: ({ from }) => words.nodeLink(from) },
      { title: 'To', text: ({ to }) => to, show: ({ address }) => place(cluster, address) },
      { title: 'Calls', text: ({ calls }) => String(calls), value: ({ calls }) => calls, number: true },
      { title: 'Jobs', text: ({ jobs }) => String(jobs.size), value: ({ jobs }) => jobs.size, number: true },
      { title: 'Users', text: ({ users }) => [...users].sort((a, b) => a - b).join(', '), wide: true },
      { title: 'Last', text: ({ last }) => words.clock(last), show: ({ last }) => words.time(last), value: ({ last }) => Date.parse(last) },
    ],
    key: ({ from, to }) => `${from} ${to}`,
    one: 'pair',
    empty: () => none(cluster),
    order: '-Calls',
  });
  const calls = new Table({
    caption: 'Calls',
    columns: callColumns(cluster),
    key: (call) => call,
    one: 'call',
    empty: () => none(cluster),
    order: '-Time',
  });
  const view = {
    title: 'Calls',
    element: section(2, 'Calls between nodes', element('p', { class: 'tools' }, element('label', { for: 'period' }, 'Of the last'), ' ', period), graph.element, scope, section(3, 'Pairs', pairs.element), section(3, 'One by one', calls.element)),
    update() {
      const since = Date.now() - Number(period.value) * MINUTE;
      const lately = cluster.calls.filter(({ at }) => at > since);
      const found = pairsOf(cluster, lately);
      graph.show(found);
      say(scope, found.length > MOST_PAIRS ? `The graph shows the ${MOST_PAIRS} busiest of ${words.count(found.length, 'pair')}; the table shows all.` : `Calls to tracked ports, since this page was opened.`);
      pairs.show(found);
      calls.show(lately.slice(-MOST_LISTED));
    },
    stop() {},
  };
  period.addEventListener('change', () => view.update());
  return view;
}

function none(cluster) {
  return cluster.sources.calls.state === 'live' ? 'No call was reported in this time. Calls are shown from the moment this page was opened.' : 'Not known: see above.';
}

/** The busiest first. */
function pairsOf(cluster, calls) {
  const pairs = new Map();
  for (const { caller, connection, toldAt } of calls) {
    const { address } = connection.remote;
    const to = cluster.nodeAt(address);
    const key = `${caller.node} ${to}`;
    const pair = pairs.get(key) ?? { from: caller.node, to, address, calls: 0, jobs: new Set(), users: new Set(), last: toldAt };
    pair.calls++;
    pair.last = toldAt;
    pair.users.add(caller.uid);
    if (caller.job) {
      pair.jobs.add(caller.job.jobId);
    }
    pairs.set(key, pair);
  }
  return [...pairs.values()].sort((a, b) => b.calls - a.calls);
}
