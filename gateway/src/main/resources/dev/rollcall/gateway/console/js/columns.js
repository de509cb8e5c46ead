// Columns that several tables have.

import { element, link } from './element.js';
import { explained } from './explained.js';
import * as words from './words.js';

/** For calls, as the cluster keeps them. */
export const callColumns = (cluster) => [
  { title: 'Time', text: (call) => words.clock(call.toldAt), show: (call) => words.time(call.toldAt), value: (call) => call.number },
  { title: 'From', text: (call) => call.caller.node, show: (call) => words.nodeLink(call.caller.node) },
  { title: 'To', text: (call) => cluster.nodeAt(call.connection.remote.address), show: (call) => place(cluster, call.connection.remote.address) },
  { title: 'Job', text: (call) => words.step(call.caller.job), show: (call) => (call.caller.job ? words.jobLink(call.caller.job.jobId, words.step(call.caller.job)) : 'no job') },
  { title: 'User', text: (call) => words.userText(call.caller.uid, cluster.userName(call.caller.uid)), show: (call) => words.userLink(call.caller.uid, cluster.userName(call.caller.uid)), wide: true },
  { title: 'Pid', text: (call) => String(call.caller.process?.pid ?? ''), value: (call) => call.caller.process?.pid ?? 0, number: true, wide: true },
  { title: 'Connection', text: (call) => words.connection(call.connection), show: (call) => pair(call.connection), wide: true },
];

/** For decisions, as WatchAdoptions tells them. */
export const adoptionColumns = (cluster) => [
  { title: 'Time', text: (one) => words.clock(one.decidedAt), show: (one) => words.time(one.decidedAt), value: (one) => Date.parse(one.decidedAt) },
  { title: 'Node', text: (one) => one.node, show: (one) => words.nodeLink(one.node) },
  { title: 'User', text: (one) => words.userText(one.uid, cluster.userName(one.uid)), show: (one) => words.userLink(one.uid, cluster.userName(one.uid)), wide: true },
  { title: 'Outcome', text: words.outcome, show: (one) => words.state(words.outcome(one)) },
  { title: 'Job', text: (one) => (one.job ? words.step(one.job) : ''), show: (one) => (one.job ? words.jobLink(one.job.jobId, words.step(one.job)) : ''), wide: true },
  { title: 'Reason', text: (one) => `${one.reason} ${explained(one.reason)} ${one.doubt}`, show: reason },
  { title: 'Took', text: (one) => words.took(one.took), value: (one) => Number.parseFloat(one.took), number: true, wide: true },
  { title: 'Why', text: (one) => one.adoptionId, show: (one) => link(whyAddress(one), 'why') },
];

/** For processes in no job, as a node tells them. */
export const outsideColumns = (cluster, node) => [
  { title: 'Pid', text: (one) => String(one.process.pid), value: (one) => one.process.pid, number: true },
  { title: 'User', text: (one) => words.userText(one.uid, cluster.userName(one.uid)), show: (one) => words.userLink(one.uid, cluster.userName(one.uid)) },
  { title: 'Command', text: (one) => one.command },
  { title: 'Since', text: (one) => words.clock(one.startedAt), show: (one) => words.time(one.startedAt), value: (one) => Date.parse(one.startedAt) },
  { title: 'Came by', text: words.origin, show: (one) => (one.adoptionId ? link(whyAddress({ node, adoptionId: one.adoptionId }), words.origin(one)) : words.origin(one)) },
  { title: 'Job', text: (one) => (one.jobId === '0' ? '' : one.jobId), show: (one) => (one.jobId === '0' ? '' : words.jobLink(one.jobId)), wide: true },
  { title: 'Will be', text: words.plan, wide: true },
];

export function whyAddress({ node, adoptionId }) {
  return `#/adoptions/${encodeURIComponent(node)}/${encodeURIComponent(adoptionId)}`;
}

/** The word as the logs have it, and what it means. */
export function reason(one) {
  return element('span', {}, element('code', {}, one.reason), ` ${explained(one.reason)}`, one.doubt ? element('span', { class: 'doubt' }, ` In doubt: ${one.doubt}.`) : null);
}

export function place(cluster, address) {
  const name = cluster.nodeAt(address);
  return name === address ? address : words.nodeLink(name);
}

/** Leads to the question who opened it. */
export function pair(connection) {
  const text = `${words.end(connection.local)} ${words.end(connection.remote)}`;
  return link(`#/search?q=${encodeURIComponent(text)}`, words.connection(connection));
}
