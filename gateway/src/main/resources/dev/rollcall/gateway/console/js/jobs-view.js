// The jobs, one line each whatever the number of nodes.

import { element, section } from './element.js';
import { Table } from './table.js';
import * as words from './words.js';

const NAMED = 4;

export function jobsView(cluster) {
  const table = new Table({
    caption: 'Jobs',
    columns: jobColumns(),
    key: ([id]) => id,
    one: 'job',
    empty: () => emptyJobs(cluster),
    order: 'Job',
  });
  return {
    title: 'Jobs',
    element: section(2, 'Jobs', table.element),
    update: () => table.show([...cluster.jobsByNumber()]),
    stop() {},
  };
}

/** For [number, the job on each of its nodes]. */
export function jobColumns() {
  return [
    { title: 'Job', text: ([id]) => id, show: ([id]) => words.jobLink(id) },
    { title: 'User', text: ([, [job]]) => words.userText(job.uid, job.user), show: ([, [job]]) => words.userLink(job.uid, job.user) },
    { title: 'State', text: ([, on]) => states(on).join(', '), show: ([, on]) => element('span', {}, ...states(on).map(words.state)) },
    { title: 'Nodes', text: ([, on]) => String(on.length), value: ([, on]) => on.length, number: true },
    { title: 'On', text: ([, on]) => names(on), wide: true },
    { title: 'Started', text: ([, [job]]) => words.clock(job.startedAt), show: ([, [job]]) => words.time(job.startedAt), value: ([, [job]]) => Date.parse(job.startedAt), wide: true },
  ];
}

export function emptyJobs(cluster) {
  return cluster.loaded.jobs ? 'No job is known, or you may see none: administrators see all.' : 'Not known yet.';
}

function states(on) {
  return [...new Set(on.map(words.jobState))].sort();
}

function names(on) {
  const all = on.map((job) => job.node).sort(new Intl.Collator('en', { numeric: true }).compare);
  const more = all.length - NAMED;
  return all.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
}
