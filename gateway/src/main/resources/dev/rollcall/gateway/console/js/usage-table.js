// What a job uses on each node: now, and since its page was opened.

import { drawn, element } from './element.js';
import { Table } from './table.js';
import * as words from './words.js';

/** An hour of them, at one in ten seconds. */
const MOST_SAMPLES = 360;
const WIDTH = 120;
const HEIGHT = 18;

/** A figure as a line, from the first sample that is kept to the last. */
class Line {
  constructor(label) {
    this.samples = [];
    this.path = drawn('path');
    this.element = drawn('svg', { class: 'line', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: 'img', 'aria-label': label }, this.path);
  }

  add(value) {
    this.samples.push(value);
    this.samples.splice(0, this.samples.length - MOST_SAMPLES);
    const most = Math.max(...this.samples) || 1;
    const step = WIDTH / Math.max(1, this.samples.length - 1);
    const points = this.samples.map((sample, i) => `${(i * step).toFixed(1)} ${(HEIGHT - 1 - (sample / most) * (HEIGHT - 2)).toFixed(1)}`);
    this.path.setAttribute('d', `M${points.join('L')}`);
  }
}

/** One node's samples. */
class Samples {
  constructor(node) {
    this.node = node;
    this.cores = new Line(`CPU on ${node} since the page was opened`);
    this.memory = new Line(`Memory on ${node} since the page was opened`);
    this.last = null;
    this.rates = null;
  }

  /** `at` in seconds. */
  add(usage, at) {
    const cpu = usage.userTime === undefined ? undefined : Number.parseFloat(usage.userTime) + Number.parseFloat(usage.systemTime ?? '0');
    const now = { at, cpu, read: usage.readBytes, written: usage.writtenBytes };
    if (this.last && at > this.last.at) {
      const rate = (/** @type {string} */ name) => (now[name] === undefined ? undefined : Math.max(0, (now[name] - this.last[name]) / (at - this.last.at)));
      this.rates = { cores: rate('cpu'), read: rate('read'), written: rate('written') };
      if (this.rates.cores !== undefined) {
        this.cores.add(this.rates.cores);
      }
    }
    if (usage.memoryNow !== undefined) {
      this.memory.add(Number(usage.memoryNow));
    }
    this.last = now;
    this.usage = usage;
  }
}

/** A figure beside its line; the line draws itself anew. */
function withLine(text, line) {
  return element('span', { class: 'drawn' }, text, line.element);
}

export class UsageTable {
  constructor(id) {
    this.nodes = new Map();
    this.known = false;
    const cores = ({ rates }) => rates?.cores?.toFixed(2) ?? '';
    const memory = ({ usage }) => words.bytes(usage.memoryNow);
    this.table = new Table({
      caption: `What job ${id} uses`,
      columns: [
        { title: 'Node', text: ({ node }) => node, show: ({ node }) => words.nodeLink(node) },
        { title: 'CPUs now', text: cores, show: (row) => withLine(cores(row), row.cores), value: ({ rates }) => rates?.cores ?? -1 },
        { title: 'CPU time', text: ({ last }) => (last.cpu === undefined ? '' : `${last.cpu.toFixed(1)} s`), value: ({ last }) => last.cpu ?? -1, number: true, wide: true },
        { title: 'Memory', text: memory, show: (row) => withLine(memory(row), row.memory), value: ({ usage }) => Number(usage.memoryNow ?? -1) },
        { title: 'Peak', text: ({ usage }) => words.bytes(usage.memoryPeak), value: ({ usage }) => Number(usage.memoryPeak ?? -1), number: true, wide: true },
        { title: 'Read', text: ({ rates }) => words.bytes(rates?.read, '/s'), value: ({ rates }) => rates?.read ?? -1, number: true, wide: true },
        { title: 'Written', text: ({ rates }) => words.bytes(rates?.written, '/s'), value: ({ rates }) => rates?.written ?? -1, number: true, wide: true },
        { title: 'Processes', text: ({ usage }) => String(usage.processesNow ?? ''), value: ({ usage }) => Number(usage.processesNow ?? -1), number: true, wide: true },
      ],
      key: ({ node }) => node,
      one: 'node',
      empty: () => (this.known ? 'No node has figures of the job.' : 'Not known yet.'),
      order: 'Node',
    });
    this.element = this.table.element;
    this.table.show([]);
  }

  /** Takes what the nodes answered; those that did not keep their last figures. */
  add({ records, silentNodes }, at) {
    this.known = true;
    const silent = new Set(silentNodes.map(({ node }) => node));
    const present = new Set(silent);
    for (const { kind, node, usage } of records) {
      if (kind === 'USAGE_KIND_JOB') {
        present.add(node);
        const samples = this.nodes.get(node) ?? new Samples(node);
        samples.add(usage, at);
        this.nodes.set(node, samples);
      }
    }
    for (const node of [...this.nodes.keys()].filter((each) => !present.has(each))) {
      this.nodes.delete(node);
    }
    this.table.show([...this.nodes.values()]);
  }
}
