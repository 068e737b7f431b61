import { sameTag } from '@hatchway/domain/codes.ts';
import { dayStart } from '../../app/dates.ts';
import type { HistorySearch } from './search.ts';
import { GROUPS, isKnown, typesOf } from './words.ts';

/** The `q` of GET /history for what the address says. Days are whole days of the company, as on the dashboard. */
export const historyQuestion = (search: HistorySearch, timeZone?: string): Record<string, unknown> => {
  const q: Record<string, unknown> = {};
  const group = GROUPS.find((one) => one === search.kind);
  if (group) q['type'] = { $in: typesOf(group) };
  else if (search.kind && isKnown(search.kind)) q['type'] = search.kind;
  if (search.from || search.to)
    q['at'] = {
      ...(search.from ? { $gte: dayStart(search.from, 0, timeZone) } : {}),
      ...(search.to ? { $lt: dayStart(search.to, 1, timeZone) } : {}),
    };
  if (search.who) q['actorId'] = search.who;
  // Tags are read in capitals, and typed as it comes.
  if (search.door) q['doorTag'] = { $in: [...new Set([search.door, sameTag(search.door)])] };
  if (search.hour !== undefined) q['hour'] = search.hour;
  if (search.service) q['service'] = search.service;
  if (search.currency) q['currency'] = search.currency;
  if (search.find) q['$text'] = search.find;
  return q;
};
