// One node: its agent, its jobs, and what came and went.

import { adoptionColumns, callColumns, outsideColumns } from './columns.js';
import { element, say, section } from './element.js';
import { emptyAdoptions } from './overview.js';
import { grafanaLink } from './grafana.js';
import { inWords } from './problems.js';
import { Table } from './table.js';
import * as words from './words.js';

/** The node looks over all of its processes for it. */
const OUTSIDE_PROCESSES_EVERY = 60_000;

export function nodeView(cluster, name) {
  const abort = new AbortController();
  const facts = element('dl', { class: 'facts' });
  const jobs = new Table({
    caption: `Jobs on ${name}`,
    columns: [
      { title: 'Job', text: (job) => job.jobId, show: (job) => words.jobLink(job.jobId) },
      { title: 'User', text: (job) => words.userText(job.uid, job.user), show: (job) => words.userLink(job.uid, job.user) },
      { title: 'State', text: words.jobState, show: (job) => words.state(words.jobState(job)) },
      { title: 'Started', text: (job) => words.clock(job.startedAt), show: (job) => words.time(job.startedAt), value: (job) => Date.parse(job.startedAt) },
    ],
    key: (job) => job.jobId,
    one: 'job',
    empty: () => (cluster.loaded.jobs ? 'No job is on this node.' : 'Not known yet.'),
    order: 'Job',
  });
  const calls = new Table({
    caption: `Calls from and to ${name}`,
    columns: callColumns(cluster),
    key: (call) => call,
    one: 'call',
    empty: () => 'No call was reported since this page was opened.',
    order: '-Time',
  });
  const sessions = new Table({
    caption: `Decisions about sessions on ${name}`,
    columns: adoptionColumns(cluster),
    key: (one) => one.adoptionId,
    one: 'decision',
    empty: () => emptyAdoptions(cluster),
    order: '-Time',
  });
  const outside = outsideProcesses(cluster, name);
  const grafana = grafanaLink();
  follow(cluster, name, abort.signal, outside.tell);
  return {
    title: name,
    element: section(
      2,
      `Node ${name}`,
      facts,
      grafana.element,
      section(3, 'Jobs', jobs.element),
      section(3, 'Processes in no job', ...outside.elements),
      section(3, 'Sessions', sessions.element),
      section(3, 'Calls', calls.element),
    ),
    update() {
      tell(facts, cluster, name);
      grafana.update(cluster.gateways.grafanaNodeUrl, '{node}', name);
      jobs.show([...cluster.jobs.values()].filter((job) => job.node === name));
      sessions.show([...cluster.adoptions.values()].filter((one) => one.node === name));
      calls.show(cluster.calls.filter((call) => call.caller.node === name || cluster.nodeAt(call.connection.remote.address) === name));
    },
    stop: () => abort.abort(),
  };
}

/** The list of processes in no job, and what is in its way. */
function outsideProcesses(cluster, name) {
  const problem = element('p', { class: 'problem', hidden: true });
  let told = null;
  const table = new Table({
    caption: `Processes of users in no job on ${name}`,
    columns: outsideColumns(cluster, name),
    key: (one) => `${one.process.pid} ${one.process.startTime}`,
    one: 'process',
    many: 'processes',
    empty: () => (told ? 'All processes of users are in jobs.' : 'Not known yet.'),
    order: 'Since',
  });
  table.show([]);
  return {
    elements: [problem, table.element],
    tell(answer, failure) {
      const node = answer?.nodes.find((each) => each.node === name);
      const silent = answer ? node?.silence ?? 'The node does not show them to you.' : '';
      const cause = failure ? inWords(failure) : silent;
      const left = node?.leftOut ? `${node.leftOut} more are not shown.` : '';
      problem.hidden = !cause && !left;
      say(problem, cause ? `The processes are not up to date. ${cause}` : left);
      if (node && !node.silence) {
        told = node;
        table.show(node.outsideProcesses);
      }
    },
  };
}

async function follow(cluster, name, signal, then) {
  while (!signal.aborted) {
    if (!document.hidden) {
      const { answer, problem } = await cluster.outsideProcesses(name, signal).catch(() => ({}));
      if (!signal.aborted) {
        then(answer, problem);
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, OUTSIDE_PROCESSES_EVERY);
    });
  }
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
    fact('Certificate until', words.farTime(node.certificateEndsAt) || 'none'),
    fact('Calls by', node.callSource),
    fact('Boot', node.bootId),
    fact('Agent’s start', String(node.epoch)),
  );
}
