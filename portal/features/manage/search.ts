import { isAsked, OCCUPATION_SERVICES, OCCUPATION_TYPES, STAGES, STAGE_NAMES } from '@hatchway/domain/terms.ts';
import { z } from 'zod/mini';
import { dayStart, localDay } from '../../app/dates.ts';
import { isoDay, listSearch, oneOf, searchParser, text } from '../../ui/table/search.ts';

export const VIEWS = ['active', 'brought', 'due', 'overdue', 'ended', 'all'] as const;
export type View = (typeof VIEWS)[number];

/** Those of what runs: a board, where nothing that has ended stands, is narrowed by them too. */
export const narrowsBoard = (view: View | undefined): boolean => view === 'brought' || view === 'due' || view === 'overdue';

const schema = z.object({
  ...listSearch,
  view: oneOf(VIEWS),
  service: oneOf(OCCUPATION_SERVICES),
  stage: oneOf(STAGE_NAMES),
  door: text,
  from: isoDay,
  look: oneOf(['board']),
});
export type OccupationsSearch = z.infer<typeof schema>;
export const parseOccupationsSearch: (raw: Record<string, unknown>) => OccupationsSearch = searchParser(schema);

/** The `q` of GET /occupations for what the address says. A stage that was chosen says more than the view does. */
export const occupationsQuestion = (search: OccupationsSearch, timeZone?: string): Record<string, unknown> => {
  const q: Record<string, unknown> = {};
  const view = search.view ?? 'active';
  if (search.stage) q['stage'] = STAGES[search.stage];
  else if (view === 'brought') q['stage'] = STAGES.ACQUIRABLE;
  else if (view === 'due') q['stage'] = { $gte: STAGES.ACQUIRABLE, $lte: STAGES.CLAIMING };
  else if (view === 'active' || view === 'overdue') q['stage'] = { $lt: STAGES.TERMINATED };
  else if (view === 'ended') q['stage'] = { $gte: STAGES.TERMINATED };
  if (view === 'overdue') q['overdue'] = true;
  if (view === 'brought') q['type'] = { $in: OCCUPATION_TYPES.filter(isAsked) };
  if (view === 'due') q['pickupBy'] = { $lt: dayStart(localDay(0, timeZone), 1, timeZone) };
  if (search.service) q['service'] = search.service;
  if (search.door) q['doorTag'] = search.door;
  if (search.from) q['createdAt'] = { $gte: dayStart(search.from, 0, timeZone) };
  if (search.find) q['$text'] = search.find;
  return q;
};

/** Something narrows the list beyond its usual view. */
export const isNarrowed = (search: OccupationsSearch): boolean =>
  Boolean(search.find || search.service || search.stage || search.door || search.from || (search.view && search.view !== 'active'));
