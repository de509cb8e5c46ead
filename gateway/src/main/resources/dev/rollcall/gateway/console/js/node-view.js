// One node: its agent, its jobs, and what came and went.

import { adoptionColumns, callColumns } from './columns.js';
import { element, section } from './element.js';
import { emptyAdoptions } from './overview.js';
import { Table } from './table.js';
import * as words from './words.js';

export function nodeView(cluster, name) {
  const facts = element('dl', { class: 'facts' });
  const jobs = new Table({
    caption: `Jobs on ${name}`,
    columns: [
      { title: 'Job', text: (job) => job.jobId, show: (job) => words.jobLink(job.jobId) },
      { title: 'User', text: (job) => job.user || String(job.uid), show: (job) => words.userLink(job.uid, job.user), number: true },
      { title: 'State', text: words.jobState, show: (job) => words.state(words.jobState(job)) },
      { title: 'Started', text: (job) => words.clock(job.startedAt), show: (job) => words.time(job.startedAt), value: (job) => Date.parse(job.startedAt) },
    ],
    key: (job) => job.jobId,
    one: 'job',
    empty: () => (cluster.loaded.jobs ? 'No job is here.' : 'Not known yet.'),
    order: 'Job',
  });
  const calls = new Table({
    caption: `Calls from and to ${name}`,
    columns: callColumns(cluster),
    key: (call) => call,
    one: 'call',
    empty: () => 'No call was told since this page was opened.',
    order: '-Time',
  });
  const sessions = new Table({
    caption: `Decisions about sessions on ${name}`,
    columns: adoptionColumns(),
    key: (one) => one.adoptionId,
    one: 'decision',
    empty: () => emptyAdoptions(cluster),
    order: '-Time',
  });
  return {
    title: name,
    element: section(2, `Node ${name}`, facts, section(3, 'Jobs', jobs.element), section(3, 'Sessions', sessions.element), section(3, 'Calls', calls.element)),
    update() {
      tell(facts, cluster, name);
      jobs.show([...cluster.jobs.values()].filter((job) => job.node === name));
      sessions.show([...cluster.adoptions.values()].filter((one) => one.node === name));
      calls.show(cluster.calls.filter((call) => call.caller.node === name || cluster.nodeAt(call.connection.remote.address) === name));
    },
    stop() {},
  };
}

function tell(facts, cluster, name) {
  const node = cluster.nodes.get(name);
  const text = JSON.stringify(node ?? cluster.loaded.nodes);
  if (facts.dataset.told === text) {
    return;
  }
  facts.dataset.told = text;
  const fact = (title, value) => element('div', {}, element('dt', {}, title), element('dd', {}, value));
  if (!node) {
    facts.replaceChildren(fact('Agent', cluster.loaded.nodes ? 'no node of this name is known' : 'not known yet'));
    return;
  }
  facts.replaceChildren(
    fact('Agent', words.state(words.nodeState(node))),
    fact('Heard', words.time(node.heardAt)),
    fact('Addresses', node.addresses.join(', ')),
    fact('Gateway', node.gateway),
    fact('Version', node.version),
    fact('Calls by', node.callSource),
    fact('Boot', node.bootId),
    fact('Agent’s start', String(node.epoch)),
  );
}
