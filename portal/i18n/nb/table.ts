import type { Translated } from '../shape.ts';
import type { table as en } from '../en/table.ts';

export const table = {
  rowsPerPage: 'rader per side:',
  columns: 'Kolonner',
  filters: 'Filtre',
  csv: 'Last ned CSV',
  selected_one: '{{count}} valgt',
  selected_other: '{{count}} valgt',
  selectAll: 'Velg alle viste rader',
  selectRow: 'Velg {{name}}',
  clearSelection: 'Fjern valget',
  shownOf: '{{shown}} av {{total}}',
  shown: '{{shown}} vist',
  loadingMore: 'Laster flere …',
  previous: 'Forrige side',
  next: 'Neste side',
  page: 'Side {{page}}',
  noMatch: 'Ingen treff',
  noMatchText: 'Ingen rader passer til søket og filtrene.',
  clearFilters: 'Fjern søk og filtre',
  failed: 'Vi kunne ikke laste listen',
  sortedUp: 'sortert stigende',
  sortedDown: 'sortert synkende',
} as const satisfies Translated<typeof en>;
