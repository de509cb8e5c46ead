// The nodes, with how their agents are.

import { section } from './element.js';
import { emptyNodes } from './overview.js';
import { Table } from './table.js';
import * as words from './words.js';

export function nodesView(cluster) {
  const table = new Table({
    caption: 'Nodes',
    columns: [
      { title: 'Node', text: (node) => node.node, show: (node) => words.nodeLink(node.node) },
      { title: 'Agent', text: words.nodeState, show: (node) => words.state(words.nodeState(node)) },
      { title: 'Jobs', text: (node) => String(node.jobs), value: (node) => node.jobs, number: true },
      { title: 'Heard', text: (node) => words.clock(node.heardAt), show: (node) => words.time(node.heardAt), value: (node) => Date.parse(node.heardAt) || 0 },
      { title: 'Addresses', text: (node) => node.addresses.join(', '), wide: true },
      { title: 'Gateway', text: (node) => node.gateway, wide: true },
      { title: 'Version', text: (node) => node.version, wide: true },
      { title: 'Certificate until', text: (node) => words.day(node.certificateEndsAt), show: (node) => words.farTime(node.certificateEndsAt), value: (node) => Date.parse(node.certificateEndsAt) || 0, wide: true },
      { title: 'Calls by', text: (node) => node.callSource, wide: true },
    ],
    key: (node) => node.node,
    one: 'node',
    empty: () => emptyNodes(cluster),
    order: 'Node',
  });
  return {
    title: 'Nodes',
    element: section(2, 'Nodes', table.element),
    update: () => table.show([...cluster.nodes.values()]),
    stop() {},
  };
}
