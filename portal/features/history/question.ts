import type { HistorySearch } from './search.ts';
import { GROUPS, isKnown, typesOf } from './words.ts';

/** Local midnight of a day, as the wire wants it; `after` days later. */
const midnight = (day: string, after = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
};

/** The `q` of GET /history for what the address says. Days are whole days of the browser's time zone. */
export const historyQuestion = (search: HistorySearch): Record<string, unknown> => {
  const q: Record<string, unknown> = {};
  const group = GROUPS.find((one) => one === search.kind);
  if (group) q['type'] = { $in: typesOf(group) };
  else if (search.kind && isKnown(search.kind)) q['type'] = search.kind;
  if (search.from || search.to)
    q['at'] = { ...(search.from ? { $gte: midnight(search.from) } : {}), ...(search.to ? { $lt: midnight(search.to, 1) } : {}) };
  if (search.who) q['actorId'] = search.who;
  if (search.door) q['doorTag'] = search.door;
  if (search.hour !== undefined) q['hour'] = search.hour;
  if (search.service) q['service'] = search.service;
  if (search.currency) q['currency'] = search.currency;
  if (search.find) q['$text'] = search.find;
  return q;
};
