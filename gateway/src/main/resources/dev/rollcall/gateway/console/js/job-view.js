// One job: where it is, and its processes and sessions on each node.

import { adoptionColumns } from './columns.js';
import { element, say, section } from './element.js';
import { grafanaLink } from './grafana.js';
import { emptyAdoptions } from './overview.js';
import { inWords } from './problems.js';
import { Table } from './table.js';
import { UsageTable } from './usage-table.js';
import * as words from './words.js';

const REFRESH_EVERY = 10_000;
/** Sessions that ssh brought are in this step. */
const SESSIONS = 'extern';

export function jobView(cluster, id) {
  const abort = new AbortController();
  const places = new Map();
  const problem = element('p', { class: 'problem', hidden: true });
  const usage = new UsageTable(id);
  const noUsage = element('p', { class: 'problem', hidden: true });
  const nodes = new Table({
    caption: `Nodes of job ${id}`,
    columns: [
      { title: 'Node', text: (job) => job.node, show: (job) => words.nodeLink(job.node) },
      { title: 'State', text: words.jobState, show: (job) => words.state(words.jobState(job)) },
      { title: 'User', text: (job) => words.userText(job.uid, job.user), show: (job) => words.userLink(job.uid, job.user), wide: true },
      { title: 'Processes', text: (job) => number(places.get(job.node)), value: (job) => places.get(job.node)?.processes.length ?? -1, number: true },
      { title: 'In sessions', text: (job) => number(places.get(job.node), SESSIONS), value: (job) => Number(number(places.get(job.node), SESSIONS)), number: true },
      { title: 'Told by', text: (job) => source(places.get(job.node)), wide: true },
      { title: 'Started', text: (job) => words.clock(job.startedAt), show: (job) => words.time(job.startedAt), value: (job) => Date.parse(job.startedAt), wide: true },
    ],
    key: (job) => job.node,
    one: 'node',
    empty: () => (cluster.loaded.jobs ? 'The job is not, or no longer, on any node.' : 'Not known yet.'),
    order: 'Node',
  });
  const processes = new Table({
    caption: `Processes of job ${id}`,
    columns: [
      { title: 'Node', text: ({ node }) => node, show: ({ node }) => words.nodeLink(node) },
      { title: 'Step', text: ({ step }) => (step === SESSIONS ? 'extern (sessions)' : step) },
      { title: 'Pid', text: ({ pid }) => String(pid), value: ({ pid }) => pid, number: true },
      { title: 'Command', text: ({ command }) => command || 'not told' },
    ],
    key: ({ node, pid }) => `${node} ${pid}`,
    one: 'process',
    many: 'processes',
    empty: () => (places.size > 0 ? 'It has no process.' : 'Not known yet.'),
    order: 'Node',
  });
  const sessions = new Table({
    caption: `Decisions about sessions in job ${id}`,
    columns: adoptionColumns(cluster),
    key: (one) => `${one.node} ${one.adoptionId}`,
    one: 'decision',
    empty: () => emptyAdoptions(cluster),
    order: '-Time',
  });
  const grafana = grafanaLink();
  const view = {
    title: `Job ${id}`,
    element: section(2, `Job ${id}`, grafana.element, section(3, 'Nodes', nodes.element), section(3, 'Use', noUsage, usage.element), section(3, 'Processes', problem, processes.element), section(3, 'Sessions', sessions.element)),
    update() {
      const on = [...cluster.jobs.values()].filter((job) => job.jobId === id);
      const names = new Set(on.map(({ node }) => node));
      nodes.show(on);
      grafana.update(cluster.gateways.grafanaJobUrl, '{job}', id);
      usage.show(names);
      const { problem: broken } = cluster.sources.usage ?? {};
      const cause = broken ? inWords(broken) : usage.silence(names);
      noUsage.hidden = !cause || names.size === 0;
      say(noUsage, noUsage.hidden ? '' : `The figures are not up to date. ${cause}`);
      processes.show([...places.values()].flatMap(listed));
      sessions.show([...cluster.adoptions.values()].filter((one) => one.job?.jobId === id));
    },
    stop() {
      abort.abort();
      unfollow();
    },
  };
  const unfollow = cluster.followUsage(id, (message) => usage.add(message, Date.now() / 1000));
  refresh((signal) => cluster.processes(id, signal), abort.signal, (answer, failure) => {
    problem.hidden = !failure;
    say(problem, failure ? `The processes are not up to date. ${inWords(failure)}` : '');
    if (answer) {
      places.clear();
      answer.nodes.forEach((place) => places.set(place.node, place));
    }
    view.update();
  });
  return view;
}

async function refresh(request, signal, then) {
  while (!signal.aborted) {
    if (!document.hidden) {
      const { answer, problem } = await request(signal).catch(() => ({}));
      if (!signal.aborted) {
        then(answer, problem);
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, REFRESH_EVERY);
    });
  }
}

export function listed(place) {
  return place.processes.map(({ process, step, command }) => ({ node: place.node, step, command, pid: process.pid }));
}

function number(place, step) {
  return place ? String(place.processes.filter((process) => !step || process.step === step).length) : '';
}

function source(place) {
  if (!place) {
    return '';
  }
  return place.live ? 'the node, now' : `the roll, as of ${words.clock(place.observedAt)}`;
}
