// Looks for a pid among the processes of jobs. With a node the gateway answers from the roll. Else,
// and where the roll does not have it, each job is asked for, a few at once; many only when somebody
// says so.

import { ask } from './api.js';
import { pause } from './cluster.js';
import { element, say, section } from './element.js';
import { listed } from './job-view.js';
import { inWords } from './problems.js';
import { Table } from './table.js';
import * as words from './words.js';

const AT_ONCE = 4;
const WITHOUT_BEING_TOLD = 200;
/** Pauses before a request is repeated that the gateway's limits refused, in milliseconds. */
const BUSY_PAUSES = [1_000, 2_000, 4_000];

export function findPid(cluster, { pid, node }, signal) {
  const title = `Pid ${pid}${node ? ` on ${node}` : ''}`;
  const hits = [];
  const progress = element('p', { class: 'quiet', role: 'status' });
  const problems = element('div', { role: 'status' });
  const fail = (what, problem) => problems.append(element('p', { class: 'problem' }, `${what} could not be searched: ${inWords(problem)}`));
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
    const failed = [];
    await each(ids, signal, async (id, done) => {
      const { answer, problem } = await limited(() => cluster.processes(id, signal), signal);
      // A missing job has ended.
      if (problem && problem.kind !== 'missing') {
        failed.push(problem);
      }
      hits.push(...(answer ? among(answer, id, pid, node) : []));
      say(progress, `${words.count(done, 'job')} of ${ids.length} searched.`);
      table.show(hits);
    });
    if (failed.length > 0) {
      fail(words.count(failed.length, 'job'), failed.at(-1));
    }
    say(progress, `${words.count(ids.length - failed.length, 'job')} searched: ${words.count(hits.length, 'process', 'processes')} found.`);
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
    const { answer, problem } = await limited(() => ask('/v1/processes:identify', { node, pid }, signal), signal);
    if (problem) {
      fail('The gateways’ roll', problem);
    }
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
    element: section(3, title, progress, problems, go, table.element),
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

/** Repeats a request while the gateway's limits refuse it. */
async function limited(request, signal) {
  let got = await request();
  for (const millis of BUSY_PAUSES) {
    if (got.problem?.kind !== 'busy') {
      break;
    }
    await pause(millis, signal);
    got = await request();
  }
  return got;
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
