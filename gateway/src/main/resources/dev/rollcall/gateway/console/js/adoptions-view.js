// Decisions about sessions as they are made, each with its reason.

import { adoptionColumns } from './columns.js';
import { section } from './element.js';
import { emptyAdoptions } from './overview.js';
import { Table } from './table.js';

export function adoptionsView(cluster) {
  const table = new Table({
    caption: 'Decisions about sessions',
    columns: adoptionColumns(cluster),
    key: (one) => `${one.node} ${one.adoptionId}`,
    one: 'decision',
    empty: () => emptyAdoptions(cluster),
    order: '-Time',
  });
  return {
    title: 'Adoptions',
    element: section(2, 'Adoptions', table.element),
    update: () => table.show([...cluster.adoptions.values()]),
    stop() {},
  };
}
