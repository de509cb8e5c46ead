// States, times and connections as people read them.

import { element, link } from './element.js';

const TONES = {
  connected: 'good',
  lost: 'bad',
  open: 'good',
  beginning: 'slow',
  suspended: 'slow',
  closing: 'slow',
  stale: 'bad',
  adopted: 'good',
  allowed: 'slow',
  denied: 'bad',
  'stepped-aside': 'slow',
  failed: 'bad',
};

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** The last words of an enum's name: NODE_STATE_LOST is "lost". */
export function word(value, prefix) {
  return value.startsWith(prefix) ? value.slice(prefix.length).toLowerCase().replaceAll('_', ' ') : value;
}

export const nodeState = (node) => word(node.state, 'NODE_STATE_');
/** As in metrics, logs and the command. */
export const outcome = (adoption) => word(adoption.outcome, 'OUTCOME_').replaceAll(' ', '-');
export const origin = (outsideProcess) => (outsideProcess.origin === 'OUTSIDE_ORIGIN_UNSPECIFIED' ? 'unknown' : word(outsideProcess.origin, 'OUTSIDE_ORIGIN_'));
export const jobState = (job) => (job.stale ? 'stale' : word(job.state, 'JOB_STATE_'));

/** A state is its word; the mark before it only helps to find it. */
export function state(text) {
  return element('span', { class: `state ${TONES[text] ?? 'slow'}` }, text);
}

const digits = (number, many = 2) => String(number).padStart(many, '0');
const date = (at) => `${at.getFullYear()}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`;
const minute = (at) => `${digits(at.getHours())}:${digits(at.getMinutes())}`;

/** The offset of this browser's zone at that time, as UTC+5:30. */
function zone(at) {
  const minutes = -at.getTimezoneOffset();
  const rest = Math.abs(minutes) % 60;
  const hours = `${minutes < 0 ? '−' : '+'}${Math.trunc(Math.abs(minutes) / 60)}`;
  return `UTC${minutes === 0 ? '' : hours}${rest ? `:${digits(rest)}` : ''}`;
}

/** The time of day to the millisecond with its zone, and with the date unless it is today. */
export function clock(when) {
  const at = new Date(when);
  if (!when || Number.isNaN(at.getTime())) {
    return '';
  }
  const today = at.toDateString() === new Date().toDateString();
  return `${today ? '' : `${date(at)} `}${minute(at)}:${digits(at.getSeconds())}.${digits(at.getMilliseconds(), 3)} ${zone(at)}`;
}

/** The day and the minute, for times that are far away. */
export function day(when) {
  const at = new Date(when);
  return when ? `${date(at)} ${minute(at)} ${zone(at)}` : '';
}

/** A narrow screen may break the line before the milliseconds. */
export function time(when) {
  const [seconds, milliseconds] = clock(when).split(/(?=[.])/);
  const rest = milliseconds ? [element('wbr'), milliseconds] : [];
  return element('time', { datetime: when, title: when }, seconds, ...rest);
}

/** A time of which the day and the minute are shown. */
export function farTime(when) {
  return when ? element('time', { datetime: when, title: when }, day(when)) : '';
}

/** For how long, in the largest unit that fits. */
export function span(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** A duration of proto, "0.0123s", in milliseconds. */
export function took(duration) {
  const millis = Number.parseFloat(duration) * 1000;
  return Number.isNaN(millis) ? '' : `${millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms`;
}

/** A number of bytes, in the largest unit of which it has one; empty if it is not known. */
export function bytes(number, per = '') {
  if (number === undefined) {
    return '';
  }
  let size = Number(number);
  let unit = 0;
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) {
    size /= 1024;
  }
  return `${unit === 0 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}${per}`;
}

export function end({ address, port }) {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

export function connection({ local, remote }) {
  return `${end(local)} → ${end(remote)}`;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

export function step(job) {
  return job ? `${job.jobId}.${job.step}` : 'no job';
}

export const nodeLink = (name) => link(`#/nodes/${encodeURIComponent(name)}`, name);
export const jobLink = (id, text = String(id)) => link(`#/jobs/${encodeURIComponent(id)}`, text);
/** For filters: the name, and the uid, by which a user may be looked for, too. */
export const userText = (uid, name = '') => [...new Set([name, String(uid)])].filter(Boolean).join(' ');

/** Shows the name, or the uid where no node sent one. */
export function userLink(uid, name = '') {
  const to = link(`#/search?q=${encodeURIComponent(`user ${uid}`)}`, name || String(uid));
  to.title = `uid ${uid}`;
  return to;
}

/** What would have been done of a session that the site only watches; empty for all others. */
export function would(adoption) {
  const job = adoption.wouldJobId;
  return { OUTCOME_ADOPTED: `adopted into job ${job}`, OUTCOME_DENIED: 'denied' }[adoption.would] ?? '';
}

/** What the node does with a process in no job once its user has one. */
export function plan(outsideProcess) {
  return { OUTSIDE_PLAN_ADOPT: 'adopted', OUTSIDE_PLAN_END: 'ended' }[outsideProcess.plan] ?? 'left alone';
}
