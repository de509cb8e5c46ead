// Puts the page together: which view is shown is told by what is behind the # of the address.

import { adoptionView } from './adoption-view.js';
import { adoptionsView } from './adoptions-view.js';
import { callsView } from './calls-view.js';
import { Cluster } from './cluster.js';
import { section } from './element.js';
import { jobView } from './job-view.js';
import { jobsView } from './jobs-view.js';
import { nodeView } from './node-view.js';
import { nodesView } from './nodes-view.js';
import { overview } from './overview.js';
import { searchView } from './search-view.js';
import { StatusLine } from './status-line.js';
import { keep } from './token.js';

/** @type {[RegExp, (...words: any[]) => any][]} */
const ROUTES = [
  [/^\/$/, overview],
  [/^\/nodes$/, nodesView],
  [/^\/nodes\/([^/]+)$/, nodeView],
  [/^\/jobs$/, jobsView],
  [/^\/jobs\/([^/]+)$/, jobView],
  [/^\/calls$/, callsView],
  [/^\/adoptions$/, adoptionsView],
  [/^\/adoptions\/([^/]+)\/([^/]+)$/, adoptionView],
  [/^\/search$/, searchView],
];

/** In clear a browser has six connections for all its pages: one that nobody sees lets go of them soon. */
const HIDDEN_FOR = location.protocol === 'https:' ? 60_000 : 2_000;

const main = document.getElementById('main');
const query = /** @type {HTMLInputElement} */ (document.getElementById('query'));
const cluster = new Cluster();
const status = new StatusLine(document.getElementById('links'), document.getElementById('said'), cluster.sources);
let view = { update() {}, stop() {} };

/** The address behind the #: { path, parameters }. */
function here() {
  const [path, search = ''] = location.hash.slice(1).split('?', 2);
  return { path: path || '/', parameters: new URLSearchParams(search) };
}

function find({ path, parameters }) {
  for (const [pattern, make] of ROUTES) {
    const found = pattern.exec(path);
    if (found) {
      return make(cluster, ...found.slice(1).map(decoded), parameters);
    }
  }
  const nothing = section(2, 'Nothing is here');
  nothing.append('No view has this address. The menu above has the views.');
  return { title: 'Nothing is here', element: nothing, update() {}, stop() {} };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show(focus) {
  view.stop();
  const where = here();
  view = find(where);
  document.title = `${view.title} · Rollcall`;
  main.replaceChildren(view.element);
  query.value = where.path === '/search' ? (where.parameters.get('q') ?? '') : '';
  for (const link of document.querySelectorAll('#views a')) {
    const path = link.getAttribute('href').slice(1);
    const current = path === '/' ? where.path === '/' : where.path.startsWith(path);
    if (current) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  view.update();
  if (focus) {
    main.querySelector('h2')?.focus();
    window.scrollTo(0, 0);
  }
}

document.getElementById('gateway').textContent = location.host;
document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = query.value.trim();
  if (text) {
    const hash = `#/search?q=${encodeURIComponent(text)}`;
    if (location.hash === hash) {
      show(true);
    } else {
      location.hash = hash;
    }
  }
});
const token = document.getElementById('token');
const bearer = /** @type {HTMLInputElement} */ (document.getElementById('bearer'));
token.addEventListener('submit', (event) => {
  event.preventDefault();
  keep(bearer.value.trim());
  bearer.value = '';
  Object.values(cluster.sources).forEach((source) => source.retry());
});
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
document.addEventListener('keydown', (event) => {
  const typing = /** @type {Element} */ (event.target).closest?.('input, textarea, select');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    query.focus();
  }
});

let hidden;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hidden);
  if (document.hidden) {
    hidden = setTimeout(() => cluster.pause(), HIDDEN_FOR);
  } else {
    cluster.start();
    cluster.changed();
  }
});
window.addEventListener('hashchange', () => show(true));
cluster.watch(() => {
  if (!document.hidden) {
    view.update();
    status.update();
    token.hidden = !Object.values(cluster.sources).some(({ problem }) => problem?.unproved);
  }
});
// What is told of the last minutes changes by itself.
setInterval(() => cluster.changed(), 5_000);
cluster.start();
show(false);
