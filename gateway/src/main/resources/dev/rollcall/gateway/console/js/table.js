// A table that stays quick whatever its length: it shows fifty rows at a time, can be filtered and
// sorted, and touches only the cells that changed.

import { element, say } from './element.js';
import { count } from './words.js';

const ROWS = 50;
/** A word that breaks where it must: a table would grow with it. */
const LONG = /\S{16}/;

/**
 * A column: `title`, `text(row)`; and perhaps `show(row)`, an element instead of the text,
 * `value(row)` to sort by, `wide`, not shown on a narrow screen, `number`, aligned as one.
 *
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: any) => string} text
 * @property {(row: any) => Node | string} [show]
 * @property {(row: any) => number | string} [value]
 * @property {boolean} [wide]
 * @property {boolean} [number]
 */

export class Table {
  /**
   * `key(row)` tells rows apart; `empty()` says why there are none; `order`: "title" or "-title".
   *
   * @param {object} table
   * @param {string} table.caption
   * @param {Column[]} table.columns
   * @param {(row: any) => any} table.key
   * @param {string} table.one
   * @param {string} [table.many]
   * @param {() => string} table.empty
   * @param {string} [table.order]
   * @param {boolean} [table.filtered]
   */
  constructor({ caption, columns, key, one, many, empty, order = '', filtered = true }) {
    this.columns = columns;
    this.key = key;
    this.names = [one, many];
    this.empty = empty;
    this.order = order;
    this.page = 0;
    this.words = '';
    this.rows = [];
    this.lines = new Map();
    this.body = element('tbody');
    this.heads = columns.map((column) => this.head(column));
    this.count = element('span', { class: 'count' });
    this.pages = element('span', { class: 'pages' });
    this.before = element('button', { type: 'button', on: { click: () => this.turn(-1) } }, 'Previous');
    this.after = element('button', { type: 'button', on: { click: () => this.turn(1) } }, 'Next');
    this.table = element('table', {}, element('caption', { class: 'unseen' }, caption), element('thead', {}, element('tr', {}, ...this.heads)), this.body);
    this.none = element('p', { class: 'none' });
    this.turning = element('div', { class: 'turning' }, this.before, this.pages, this.after);
    this.input = filtered ? this.filter(caption) : null;
    this.element = element('div', { class: 'listing' }, element('div', { class: 'tools' }, this.input, this.count), this.table, this.none, this.turning);
  }

  filter(caption) {
    const input = element('input', {
      type: 'search',
      'aria-label': `Filter: ${caption}`,
      placeholder: 'Filter',
      on: { input: () => this.look(input.value) },
    });
    return input;
  }

  head(column) {
    const button = element('button', { type: 'button', on: { click: () => this.sort(column) } }, column.title);
    return element('th', { scope: 'col', class: kind(column) }, button);
  }

  look(words) {
    this.words = words.trim().toLowerCase();
    this.page = 0;
    this.draw();
  }

  sort(column) {
    this.order = this.order === column.title ? `-${column.title}` : column.title;
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
    // The button that was pressed may be of no use any more.
    const focused = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    if (focused?.disabled || focused === document.body) {
      (by > 0 ? this.before : this.after).focus();
    }
  }

  show(rows) {
    this.rows = rows;
    this.draw();
  }

  draw() {
    const rows = this.sorted(this.rows.filter((row) => this.matches(row)));
    const last = Math.max(0, Math.ceil(rows.length / ROWS) - 1);
    this.page = Math.min(Math.max(0, this.page), last);
    const first = this.page * ROWS;
    const shown = rows.slice(first, first + ROWS);
    this.lay(shown);
    this.label(rows.length, first, shown.length, last);
  }

  matches(row) {
    return !this.words || this.columns.some((column) => column.text(row).toLowerCase().includes(this.words));
  }

  sorted(rows) {
    const down = this.order.startsWith('-');
    const column = this.columns.find(({ title }) => title === this.order.replace(/^-/, ''));
    this.heads.forEach((head, i) => {
      if (this.columns[i] === column) {
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      } else {
        head.removeAttribute('aria-sort');
      }
    });
    if (!column) {
      return rows;
    }
    const value = column.value ?? column.text;
    return rows
      .map((row) => [value(row), row])
      .sort(([a], [b]) => (down ? -1 : 1) * compare(a, b))
      .map(([, row]) => row);
  }

  /** Lines that stay keep their elements, and with them the focus. */
  lay(shown) {
    const focused = this.body.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const lines = new Map();
    let place = this.body.firstChild;
    for (const row of shown) {
      const key = this.key(row);
      const line = this.lines.get(key) ?? this.line();
      lines.set(key, line);
      this.fill(line, row);
      if (line.element === place) {
        place = place.nextSibling;
      } else {
        this.body.insertBefore(line.element, place);
      }
    }
    for (const [key, line] of this.lines) {
      if (!lines.has(key)) {
        line.element.remove();
      }
    }
    this.lines = lines;
    if (focused?.isConnected && document.activeElement !== focused) {
      focused.focus({ preventScroll: true });
    }
  }

  line() {
    const cells = this.columns.map((column) => element('td', { class: kind(column) }));
    return { element: element('tr', {}, ...cells), cells, texts: [] };
  }

  fill(line, row) {
    this.columns.forEach((column, i) => {
      const text = column.text(row);
      if (line.texts[i] !== text) {
        line.texts[i] = text;
        line.cells[i].classList.toggle('long', LONG.test(text));
        line.cells[i].replaceChildren(column.show ? column.show(row) : text);
      }
    });
  }

  label(all, first, shown, last) {
    const names = count(all, ...this.names);
    say(this.count, this.words ? `${names} of ${this.rows.length.toLocaleString('en')}` : names);
    say(this.pages, `${(first + 1).toLocaleString('en')} to ${(first + shown).toLocaleString('en')} of ${all.toLocaleString('en')}`);
    this.count.hidden = this.rows.length === 0;
    if (this.input) {
      this.input.hidden = this.rows.length === 0 && !this.words;
    }
    this.turning.hidden = last === 0;
    this.before.disabled = this.page === 0;
    this.after.disabled = this.page === last;
    this.table.hidden = shown === 0;
    this.none.hidden = shown > 0;
    say(this.none, shown > 0 ? '' : this.words && this.rows.length > 0 ? `None has “${this.words}”.` : this.empty());
  }
}

function kind(column) {
  return [column.wide && 'wide', column.number && 'number'].filter(Boolean).join(' ') || null;
}

const TEXTS = new Intl.Collator('en', { numeric: true });

function compare(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : TEXTS.compare(a, b);
}
