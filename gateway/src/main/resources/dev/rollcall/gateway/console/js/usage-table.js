// What a job uses on each node: now, and during its last hour.

import { drawn, element } from './element.js';
import { Table } from './table.js';
import * as words from './words.js';

const HOUR = 3_600;
/** Between the points of a line. So a node has 62 of them at most. */
const MINUTE = 60;
const WIDTH = 120;
const HEIGHT = 18;

/** A figure of the last hour, as a line from the left, an hour ago, to the right, now. */
class Line {
  constructor(what, inWords) {
    this.what = what;
    this.inWords = inWords;
    this.path = drawn('path');
    this.element = drawn('svg', { class: 'line', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': what }, this.path);
  }

  /** `points` are [seconds ago, value]; a value that is not known breaks the line. */
  draw(points) {
    const known = points.filter(([, value]) => value !== undefined).map(([, value]) => value);
    const most = Math.max(0, ...known);
    let move = 'M';
    let path = '';
    for (const [ago, value] of points) {
      if (value === undefined) {
        move = 'M';
      } else {
        path += `${move}${(WIDTH * (1 - ago / HOUR)).toFixed(1)} ${(HEIGHT - 1 - (value / (most || 1)) * (HEIGHT - 2)).toFixed(1)}`;
        move = 'L';
      }
    }
    this.path.setAttribute('d', path);
    this.element.setAttribute('aria-label', known.length > 0 ? `${this.what}: at most ${this.inWords(most)}` : this.what);
  }
}

/** What a message says, as numbers; undefined if the node does not measure it. */
function measured(usage, at) {
  const number = (value) => (value === undefined || value === null ? undefined : Number(value));
  const [read, written] = [number(usage.readBytes), number(usage.writtenBytes)];
  return {
    at,
    cpu: usage.userTime ? Number.parseFloat(usage.userTime) + Number.parseFloat(usage.systemTime ?? '0') : undefined,
    memory: number(usage.memoryNow),
    read,
    written,
    io: read === undefined || written === undefined ? undefined : read + written,
    processes: number(usage.processesNow),
  };
}

/** By how much a second it grew between two points. Where a cgroup was removed, it may have become less. */
function rate(name, before, now) {
  const known = before?.[name] !== undefined && now[name] !== undefined && now.at > before.at;
  return known ? Math.max(0, now[name] - before[name]) / (now.at - before.at) : undefined;
}

/** One node's points of the last hour. */
class Samples {
  constructor(node) {
    this.node = node;
    this.points = [];
    this.lines = {
      cpu: new Line(`CPUs on ${node} in the last hour`, (most) => most.toFixed(2)),
      memory: new Line(`Memory on ${node} in the last hour`, (most) => words.bytes(most)),
      io: new Line(`Bytes read and written on ${node} in the last hour`, (most) => words.bytes(most, '/s')),
      processes: new Line(`Processes on ${node} in the last hour`, String),
    };
  }

  /** `at` in seconds. */
  add({ usage, lastHour }, at) {
    if (lastHour.length > 0) {
      this.points = lastHour.map((point) => measured(point.usage, at - point.secondsAgo));
    }
    const now = measured(usage, at);
    const before = this.last ?? this.points.at(-1);
    this.rates = { cpu: rate('cpu', before, now), read: rate('read', before, now), written: rate('written', before, now) };
    this.last = now;
    this.usage = usage;
    // The newest point moves on until a minute is between it and the one before.
    if (this.points.length > 1 && this.points.at(-1).at - this.points.at(-2).at < MINUTE) {
      this.points.pop();
    }
    this.points.push(now);
    this.points = this.points.filter((point) => at - point.at <= HOUR);
    this.draw(at);
  }

  draw(at) {
    const line = (value) => this.points.map((point, i) => [at - point.at, value(point, this.points[i - 1])]);
    this.lines.cpu.draw(line((point, before) => rate('cpu', before, point)));
    this.lines.memory.draw(line((point) => point.memory));
    this.lines.io.draw(line((point, before) => rate('io', before, point)));
    this.lines.processes.draw(line((point) => point.processes));
  }
}

/** A column of a figure with its line, which draws itself anew. */
function column(title, line, text, value, wide) {
  return { title, text, show: (row) => element('span', { class: 'drawn' }, element('span', {}, text(row)), row.lines[line].element), value: (row) => value(row) ?? -1, wide };
}

export class UsageTable {
  constructor(id) {
    this.nodes = new Map();
    this.silent = new Map();
    this.known = false;
    this.table = new Table({
      caption: `What job ${id} uses, now and in its last hour`,
      columns: [
        { title: 'Node', text: ({ node }) => node, show: ({ node }) => words.nodeLink(node) },
        column('CPUs', 'cpu', ({ rates }) => rates.cpu?.toFixed(2) ?? '', ({ rates }) => rates.cpu),
        column('Memory', 'memory', ({ last }) => words.bytes(last.memory), ({ last }) => last.memory),
        column('Read, written', 'io', ({ rates }) => (rates.read === undefined ? '' : `${words.bytes(rates.read, '/s')}, ${words.bytes(rates.written, '/s')}`), ({ rates }) => rates.read, true),
        column('Processes', 'processes', ({ last }) => String(last.processes ?? ''), ({ last }) => last.processes),
        { title: 'CPU time', text: ({ last }) => (last.cpu === undefined ? '' : `${last.cpu.toFixed(1)} s`), value: ({ last }) => last.cpu ?? -1, number: true, wide: true },
        { title: 'Peak', text: ({ usage }) => words.bytes(usage.memoryPeak), value: ({ usage }) => Number(usage.memoryPeak ?? -1), number: true, wide: true },
      ],
      key: ({ node }) => node,
      one: 'node',
      empty: () => (this.known ? 'No node has figures of the job.' : 'Not known yet.'),
      order: 'Node',
    });
    this.element = this.table.element;
    this.show(new Set());
  }

  /** Takes a message of the stream. A node that did not answer keeps its last figures. */
  add({ record, silentNode }, at) {
    this.known = true;
    if (record) {
      this.silent.delete(record.node);
      const samples = this.nodes.get(record.node) ?? new Samples(record.node);
      samples.add(record, at);
      this.nodes.set(record.node, samples);
    } else if (silentNode) {
      this.silent.set(silentNode.node, silentNode.silence);
    }
  }

  /** Why some of these nodes have no new figures, for people. */
  silence(names) {
    return [...this.silent].filter(([node]) => names.has(node)).map(([, why]) => `${why}.`).join(' ');
  }

  show(names) {
    this.table.show([...this.nodes.values()].filter(({ node }) => names.has(node)));
  }
}
