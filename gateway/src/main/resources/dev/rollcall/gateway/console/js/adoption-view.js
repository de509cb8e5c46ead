// Why one session was decided as it was.

import { ask } from './api.js';
import { pair, reason } from './columns.js';
import { element, section } from './element.js';
import { inWords } from './problems.js';
import * as words from './words.js';

export function adoptionView(cluster, node, id) {
  const abort = new AbortController();
  const body = element('div', { 'aria-busy': 'true' }, `${node} is asked.`);
  const told = (...children) => {
    body.removeAttribute('aria-busy');
    body.replaceChildren(...children);
  };
  explain(cluster, node, id, abort.signal)
    .then(({ adoption, problem, seen }) => {
      if (!adoption) {
        told(element('p', { class: 'problem' }, `The decision cannot be shown. ${inWords(problem)}`));
        return;
      }
      told(
        element('p', { class: 'answer' }, sentence(cluster, adoption)),
        facts(cluster, adoption),
        ...(seen ? [element('p', { class: 'quiet' }, `Shown as it was reported when it was made. ${inWords(problem)}`)] : []),
      );
    })
    .catch((failure) => {
      if (failure.name !== 'AbortError') {
        throw failure;
      }
    });
  return {
    title: `Why: decision ${id}`,
    element: section(2, `Why: decision ${id} on ${node}`, body),
    update() {},
    stop: () => abort.abort(),
  };
}

/** The node is asked; what was told in passing is better than nothing. */
async function explain(cluster, node, id, signal) {
  const { answer, problem } = await ask(`/v1/adoptions/${encodeURIComponent(id)}`, { node }, signal);
  if (answer?.adoption) {
    return { adoption: answer.adoption };
  }
  const adoption = cluster.adoptions.get(`${node} ${id}`);
  return { adoption, seen: Boolean(adoption), problem: problem ?? { words: 'No such decision is known there.', told: '' } };
}

function sentence(cluster, adoption) {
  const what = words.outcome(adoption);
  const who = `The session of user ${adoption.user || cluster.userName(adoption.uid)} on ${adoption.node} was `;
  if (what === 'adopted' && adoption.job) {
    return element('span', {}, `${who}adopted into job `, words.jobLink(adoption.job.jobId), '. ', reason(adoption));
  }
  const would = words.would(adoption);
  if (would) {
    return element('span', {}, who, `not changed, because it is audit-only: it would have been ${would}. `, reason(adoption));
  }
  const deeds = {
    allowed: 'admitted without a job. ',
    denied: 'denied. ',
    'stepped-aside': 'left to the other PAM modules. ',
    failed: 'not decided by the agent: action_generic_failure of the PAM line decided. ',
  };
  return element('span', {}, who, deeds[what] ?? `decided: ${what}. `, reason(adoption));
}

function facts(cluster, adoption) {
  const fact = (title, value) => element('div', {}, element('dt', {}, title), element('dd', {}, value));
  // The caller's end is the other one.
  const connection = adoption.connection;
  const call = connection?.local && connection?.remote ? { local: connection.remote, remote: connection.local } : null;
  return element(
    'dl',
    { class: 'facts' },
    fact('Outcome', words.state(words.outcome(adoption))),
    fact('Reason', element('code', {}, adoption.reason)),
    fact('Doubt', adoption.doubt || 'none'),
    fact('Node', words.nodeLink(adoption.node)),
    fact('User', words.userLink(adoption.uid, cluster.userName(adoption.uid))),
    fact('Job and step', adoption.job ? words.jobLink(adoption.job.jobId, words.step(adoption.job)) : 'none'),
    fact('Service', adoption.service || 'not told'),
    fact('Called by', call ? pair(call) : 'not told'),
    fact('Decided', words.time(adoption.decidedAt)),
    fact('Took', words.took(adoption.took) || 'not told'),
    fact('Decision', adoption.adoptionId),
  );
}
