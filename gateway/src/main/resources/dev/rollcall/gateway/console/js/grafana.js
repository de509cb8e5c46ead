// The link to the site's dashboard of a job or a node.

import { element } from './element.js';

/** Hidden while the gateway names no dashboard. */
export function grafanaLink() {
  const link = element('a', { rel: 'noreferrer' }, 'Dashboard in Grafana');
  const place = element('p', { hidden: true }, link);
  return {
    element: place,
    /** `template` has `name`, as in a query, in the place of `mark`. */
    update(template, mark, name) {
      const address = template.replaceAll(mark, encodeURIComponent(name));
      place.hidden = !/^https?:\/\//.test(address);
      if (!place.hidden && link.getAttribute('href') !== address) {
        link.setAttribute('href', address);
      }
    },
  };
}
