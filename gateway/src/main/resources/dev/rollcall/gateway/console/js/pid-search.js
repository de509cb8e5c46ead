// Looks for a pid among the processes of jobs. With a node the gateway answers from the roll. Else,
// and where the roll does not have it, each job is asked for, a few at once; many only when somebody
// says so.

import { ask } from './api.js';
import { element, say, section } from './element.js';
import { listed } from './job-view.js';
import { Table } from './table.js';
import * as words from './words.js';

const AT_ONCE = 4;
const WITHOUT_BEING_TOLD = 200;

export function findPid(cluster, { pid, node }, signal) {
  const title = `Pid ${pid}${node ? ` on ${node}` : ''}`;
  const hits = [];
  const progress = element('p', { class: 'quiet', role: 'status' });
  const go = element('button', { type: 'button', hidden: true });
  const table = new Table({
    caption: title,
    columns: [
      { title: 'Job', text: ({ job, step }) => `${job}.${step}`, show: ({ job, step }) => words.jobLink(job, `${job}.${step}`) },
      { title: 'Node', text: (hit) => hit.node, show: (hit) => words.nodeLink(hit.node) },
      { title: 'Command', text: ({ command }) => command || 'not told' },
      { title: 'Seen', text: ({ seen }) => seen },
    ],
    key: (hit) => `${hit.job} ${hit.node}`,
    one: 'process',
    many: 'processes',
    empty: () => 'None found yet.',
    filtered: false,
  });
  let begun = false;
  const look = async (ids) => {
    go.hidden = true;
    await each(ids, signal, async (id, done) => {
      const { answer } = await cluster.processes(id, signal);
      hits.push(...(answer ? among(answer, id, pid, node) : []));
      say(progress, `${words.count(done, 'job')} of ${ids.length} searched.`);
      table.show(hits);
    });
    say(progress, `${words.count(ids.length, 'job')} searched: ${words.count(hits.length, 'process', 'processes')} found.`);
  };
  const lookThrough = (ids) => {
    if (ids.length <= WITHOUT_BEING_TOLD) {
      return look(ids);
    }
    go.hidden = false;
    say(go, `Search ${words.count(ids.length, 'job')}`);
    say(progress, 'Faster with the node’s name: “pid 4711 on node1”.');
    go.onclick = () => look(ids).catch(ignoreAbort);
    return Promise.resolve();
  };
  const answeredByRoll = async () => {
    const { answer } = await ask('/v1/processes:identify', { node, pid }, signal);
    const { inJob, inNoJob } = answer?.answer ?? {};
    if (inJob) {
      hits.push({ job: inJob.job.jobId, step: inJob.job.step, node, pid, command: '', seen: words.clock(inJob.seenAt) });
      table.show(hits);
      say(progress, 'Found in the gateways’ roll.');
    } else if (inNoJob) {
      say(progress, `The node had no job at ${words.clock(inNoJob.seenAt)}.`);
    }
    return Boolean(inJob || inNoJob);
  };
  return {
    element: section(3, title, progress, go, table.element),
    update() {
      hits.push(...passedBy(cluster, pid, node, hits));
      table.show(hits);
      if (begun || !cluster.loaded.jobs) {
        return;
      }
      const ids = [...new Set([...cluster.jobs.values()].filter((job) => !node || job.node === node).map((job) => job.jobId))];
      begun = true;
      (node ? answeredByRoll() : Promise.resolve(false)).then((answered) => (answered ? undefined : lookThrough(ids))).catch(ignoreAbort);
    },
  };
}

function among(answer, id, pid, node) {
  return answer.nodes
    .filter((place) => !node || place.node === node)
    .flatMap((place) => listed(place).map((process) => ({ ...process, job: id, seen: place.live ? 'now' : words.clock(place.observedAt) })))
    .filter((process) => String(process.pid) === pid);
}

/** Callers that were told of, which may have ended since. */
function passedBy(cluster, pid, node, hits) {
  const found = new Map();
  for (const { caller, toldAt } of cluster.calls) {
    if (String(caller.process?.pid) === pid && caller.job && (!node || caller.node === node)) {
      found.set(`${caller.job.jobId} ${caller.node}`, { job: caller.job.jobId, step: caller.job.step, node: caller.node, command: '', pid: caller.process.pid, seen: `called at ${words.clock(toldAt)}` });
    }
  }
  hits.forEach((hit) => found.delete(`${hit.job} ${hit.node}`));
  return found.values();
}

async function each(all, signal, work) {
  let next = 0;
  let done = 0;
  const worker = async () => {
    while (next < all.length && !signal.aborted) {
      await work(all[next++], ++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function ignoreAbort(failure) {
  if (failure.name !== 'AbortError') {
    throw failure;
  }
}
