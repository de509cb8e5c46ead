// Draws who calls whom: callers on the left, the called on the right, a line for each pair.

import { drawn, element } from './element.js';
import { count } from './words.js';

export const MOST_PAIRS = 30;
const ROW = 22;
const TOP = 18;
const BAR = 6;
/** Lines begin and end on the bars' whole height. */
const BAR_HEIGHT = 16;
const THICKEST = 5;
const LABEL = { share: 0.3, least: 84, most: 200 };
const LETTER = 7;

export class Graph {
  /** `nameLink(name)` is the address of what a name stands for, or null. */
  constructor(nameLink) {
    this.nameLink = nameLink;
    this.element = element('div', { class: 'graph' });
    this.drawing = '';
  }

  /** Pairs are { from, to, calls }, the most calls first. */
  show(pairs) {
    const shown = pairs.slice(0, MOST_PAIRS);
    const width = Math.max(280, Math.floor(this.element.clientWidth) || 800);
    const drawing = JSON.stringify([width, shown.map(({ from, to, calls }) => [from, to, calls])]);
    // Who has the focus here is left alone until they go on.
    if (drawing === this.drawing || this.element.contains(document.activeElement)) {
      return;
    }
    this.drawing = drawing;
    this.element.replaceChildren(...(shown.length > 0 ? [this.draw(shown, width)] : []));
  }

  draw(pairs, width) {
    const left = places(pairs, 'from');
    const right = places(pairs, 'to');
    const height = TOP + ROW * Math.max(left.size, right.size) + 4;
    const label = Math.min(LABEL.most, Math.max(LABEL.least, width * LABEL.share));
    const most = pairs[0].calls;
    const begins = heights(pairs, 'from', left, 'to', right);
    const ends = heights(pairs, 'to', right, 'from', left);
    const lines = pairs.map((pair) => this.line(pair, begins.get(pair), ends.get(pair), label, width, most));
    const names = [
      ...[...left].map(([name, row]) => this.name(name, row, label, 'from', label)),
      ...[...right].map(([name, row]) => this.name(name, row, width - label, 'to', label)),
    ];
    const heads = [
      drawn('text', { class: 'head', x: label - 10, y: 11, 'text-anchor': 'end' }, 'calls'),
      drawn('text', { class: 'head', x: width - label + 10, y: 11 }, 'is called'),
    ];
    return drawn(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': 'Calls between nodes. The table below shows the same.' },
      ...heads,
      ...lines,
      ...names,
    );
  }

  line({ from, to, calls }, y1, y2, label, width, most) {
    const x1 = label + BAR;
    const x2 = width - label - BAR;
    const bend = (x2 - x1) * 0.45;
    const line = drawn('path', {
      d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
      'stroke-width': (1 + (THICKEST - 1) * Math.sqrt(calls / most)).toFixed(1),
      'data-from': from,
      'data-to': to,
    });
    line.append(drawn('title', {}, `${from} → ${to}: ${count(calls, 'call')}`));
    return line;
  }

  name(name, row, x, side, room) {
    const left = side === 'from';
    const letters = Math.floor((room - 14) / LETTER);
    const text = drawn('text', { x: left ? x - 10 : x + 10, y: middle(row) + 4, 'text-anchor': left ? 'end' : 'start' }, name.length > letters ? `${name.slice(0, letters - 1)}…` : name);
    text.append(drawn('title', {}, name));
    const href = this.nameLink(name);
    const marks = (on) => this.mark(side, on ? name : null);
    const bar = drawn('rect', { x: left ? x : x - BAR, y: middle(row) - BAR_HEIGHT / 2, width: BAR, height: BAR_HEIGHT });
    return drawn(
      href ? 'a' : 'g',
      { href, 'aria-label': left ? `${name} calls` : `${name} is called`, on: { mouseenter: () => marks(true), mouseleave: () => marks(false), focusin: () => marks(true), focusout: () => marks(false) } },
      bar,
      text,
    );
  }

  /** The lines of one name are shown before the others. */
  mark(side, name) {
    for (const line of this.element.querySelectorAll('path')) {
      line.classList.toggle('aside', name !== null && line.dataset[side] !== name);
    }
  }
}

/** Each name's row, the busiest first. */
function places(pairs, side) {
  const calls = new Map();
  for (const pair of pairs) {
    calls.set(pair[side], (calls.get(pair[side]) ?? 0) + pair.calls);
  }
  const order = [...calls].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return new Map(order.map(([name], row) => [name, row]));
}

/** Where each pair's line ends on this side, in the order of the other side's rows. */
function heights(pairs, side, rows, other, otherRows) {
  const found = new Map();
  for (const [name, row] of rows) {
    const own = pairs.filter((pair) => pair[side] === name).sort((a, b) => otherRows.get(a[other]) - otherRows.get(b[other]));
    own.forEach((pair, i) => found.set(pair, middle(row) + BAR_HEIGHT * ((i + 0.5) / own.length - 0.5)));
  }
  return found;
}

function middle(row) {
  return TOP + ROW * row + ROW / 2;
}
