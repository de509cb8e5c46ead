// What the page knows of the cluster, kept up to date while somebody looks.

import { askAll, ask } from './api.js';
import { Source } from './source.js';
import { follow } from './stream.js';

/** So many are remembered of what passes by. */
const MOST_CALLS = 20_000;
const MOST_ADOPTIONS = 5_000;
/** Views are drawn at most so often. */
const TOLD_EVERY = 250;
/** Each question of an administrator is a line of the audit log. */
const NODES_EVERY = 10_000;
/** The gateways are asked for with each of so many requests for nodes. */
const GATEWAYS_TURN = 6;
/** And no more than this part of the time goes into asking for nodes. */
const NODES_SHARE = 20;
/** The job is on that node no more. */
const CLOSED = 'JOB_STATE_CLOSED';

export class Cluster {
  constructor() {
    this.nodes = new Map();
    /** As the gateway lists them, and the site's dashboards. */
    this.gateways = { gateways: [], grafanaJobUrl: '', grafanaNodeUrl: '' };
    this.jobs = new Map();
    this.calls = [];
    this.told = 0;
    this.adoptions = new Map();
    this.owners = new Map();
    this.users = new Map();
    this.loaded = { nodes: false, jobs: false };
    this.listeners = new Set();
    const changed = () => this.changed();
    this.sources = {
      nodes: new Source('Nodes', (signal, live) => this.pollNodes(signal, live), changed),
      jobs: new Source('Jobs', (signal, live) => this.followJobs(signal, live), changed),
      calls: new Source('Calls', (signal, live) => this.followCalls(signal, live), changed),
      adoptions: new Source('Adoptions', (signal, live) => this.followAdoptions(signal, live), changed),
    };
  }

  start() {
    Object.values(this.sources).forEach((source) => source.start());
  }

  pause() {
    Object.values(this.sources).forEach((source) => source.pause());
  }

  /** The name of the node that has this address; else the address. */
  nodeAt(address) {
    return this.owners.get(address) ?? address;
  }

  /** The user's name as a node with a job of theirs sent it; else the uid. */
  userName(uid) {
    return this.users.get(uid) ?? String(uid);
  }

  /** Keeps the owner's name, also after the job's end. */
  keepJob(job) {
    this.jobs.set(jobKey(job), job);
    if (job.user) {
      this.users.set(job.uid, job.user);
    }
  }

  /** Returns what ends it. */
  watch(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.listeners.forEach((listener) => listener());
    }, TOLD_EVERY);
  }

  async pollNodes(signal, live) {
    for (let turn = 0; ; turn++) {
      const began = performance.now();
      if (turn % GATEWAYS_TURN === 0) {
        this.gateways = (await ask('/v1/gateways', {}, signal)).answer ?? this.gateways;
      }
      const { items, problem } = await askAll('/v1/nodes', 'nodes', {}, signal);
      if (problem) {
        return problem;
      }
      this.nodes = new Map(items.map((node) => [node.node, node]));
      this.owners = new Map(items.flatMap((node) => node.addresses.map((address) => [address, node.node])));
      this.loaded.nodes = true;
      live();
      await pause(Math.max(NODES_EVERY, (performance.now() - began) * NODES_SHARE), signal);
    }
  }

  /** What ended while nobody listened is not told: the list says what is still there. */
  async followJobs(signal, live) {
    const told = new Set();
    const opened = async () => {
      const { items, problem } = await askAll('/v1/jobs', 'jobs', {}, signal);
      if (items) {
        const open = items.filter(({ state }) => state !== CLOSED);
        const there = new Set(open.map(jobKey));
        for (const key of this.jobs.keys()) {
          if (!there.has(key) && !told.has(key)) {
            this.jobs.delete(key);
          }
        }
        open.filter((job) => !told.has(jobKey(job))).forEach((job) => this.keepJob(job));
        this.loaded.jobs = true;
        live();
      }
      return problem;
    };
    return follow('/v1/jobs:watch', {}, signal, opened, ({ job }) => {
      told.add(jobKey(job));
      if (job.state === CLOSED) {
        this.jobs.delete(jobKey(job));
      } else {
        this.keepJob(job);
      }
      this.changed();
    });
  }

  followCalls(signal, live) {
    return follow('/v1/callers:watch', {}, signal, live, (call) => {
      // By this machine's clock, which need not be the gateway's; and numbered, to be put in order.
      this.calls.push({ ...call, at: Date.now(), number: this.told++ });
      if (this.calls.length > MOST_CALLS) {
        this.calls.splice(0, MOST_CALLS / 10);
      }
      this.changed();
    });
  }

  /** The recent ones are told again with each beginning. */
  followAdoptions(signal, live) {
    return follow('/v1/adoptions:watch', { recent: 500 }, signal, live, ({ adoption }) => {
      this.adoptions.set(adoptionKey(adoption), adoption);
      if (adoption.user && !this.users.has(adoption.uid)) {
        this.users.set(adoption.uid, adoption.user);
      }
      if (this.adoptions.size > MOST_ADOPTIONS) {
        this.adoptions.delete(this.adoptions.keys().next().value);
      }
      this.changed();
    });
  }

  /** Processes of a job, by node: { answer } or { problem }. */
  processes(id, signal) {
    return ask(`/v1/jobs/${encodeURIComponent(id)}/processes`, {}, signal);
  }

  /** Tells what a job uses, by node, as it comes. Of one job at a time; returns what ends it. */
  followUsage(id, told) {
    const heard = (message) => {
      told(message);
      this.changed();
    };
    const usage = new Source('Use', (signal, live) => follow('/v1/usage:watch', { job_id: id, job_only: true }, signal, live, heard), () => this.changed());
    this.sources.usage = usage;
    usage.start();
    return () => {
      usage.pause();
      delete this.sources.usage;
    };
  }

  /** Processes of users that are in no job on a node, which looks for them: { answer } or { problem }. */
  outsideProcesses(node, signal) {
    return ask('/v1/processes:outside', { nodes: node }, signal);
  }

  /** One entry for each job, whatever nodes it is on. */
  jobsByNumber() {
    const jobs = new Map();
    for (const job of this.jobs.values()) {
      const known = jobs.get(job.jobId);
      if (known) {
        known.push(job);
      } else {
        jobs.set(job.jobId, [job]);
      }
    }
    return jobs;
  }

  /** The latest first. */
  latestAdoptions() {
    return [...this.adoptions.values()].sort((a, b) => Date.parse(b.decidedAt) - Date.parse(a.decidedAt));
  }
}

export function jobKey(job) {
  return `${job.jobId} ${job.node}`;
}

export function adoptionKey(adoption) {
  return `${adoption.node} ${adoption.adoptionId}`;
}

export function pause(millis, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('paused', 'AbortError'));
    });
  });
}
