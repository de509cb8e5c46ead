// Says what is not live, since when, and when it is tried again. Nothing is said while all is well.

import { element, say } from './element.js';
import { inWords } from './problems.js';
import { clock, span } from './words.js';

export class StatusLine {
  /** `line` is looked at, `said` is read aloud: it changes only when a source does. */
  constructor(line, said, sources) {
    this.line = line;
    this.said = said;
    this.sources = Object.values(sources);
    this.broken = new Set();
    this.items = new Map(this.sources.map((source) => [source, this.item(source)]));
    setInterval(() => this.update(), 1_000);
  }

  item(source) {
    const text = element('span');
    const retry = element('button', { type: 'button', 'aria-label': `Try ${source.what.toLowerCase()} now`, on: { click: () => source.retry() } }, 'Try now');
    const item = element('p', { class: 'link', hidden: true }, text, ' ', retry);
    this.line.append(item);
    return { item, text, retry };
  }

  update() {
    for (const source of this.sources) {
      const { item, text, retry } = this.items.get(source);
      const broken = source.state === 'broken' || source.state === 'refused';
      item.hidden = !broken;
      retry.hidden = !source.next;
      say(text, broken ? words(source) : '');
    }
    this.tell();
  }

  tell() {
    const broken = this.sources.filter(({ state }) => state === 'broken' || state === 'refused');
    const restored = [...this.broken].filter((source) => source.state === 'live');
    if (broken.some((source) => !this.broken.has(source))) {
      say(this.said, `Not live: ${broken.map(({ what }) => what.toLowerCase()).join(', ')}`);
    } else if (restored.length > 0) {
      say(this.said, `Live again: ${restored.map(({ what }) => what.toLowerCase()).join(', ')}`);
    }
    restored.forEach((source) => this.broken.delete(source));
    broken.forEach((source) => this.broken.add(source));
  }
}

function words(source) {
  const since = `${source.what}: not live since ${clock(source.since)} (${span(Date.now() - source.since)}).`;
  const why = source.problem ? ` ${inWords(source.problem)}` : '';
  const next = source.next ? ` Next try in ${span(source.next - Date.now())}.` : ' Trying.';
  return since + why + next;
}
