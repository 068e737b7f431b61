import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { invalid } from './errors.ts';
import { readFilter, type Filter } from './filter.ts';
import { conditionOf, type Places } from './filter-sql.ts';
import { isObject, type Resource, type Wanted } from './resource.ts';

export type Asked = { filter: Filter | null; startIndex: number; count: number; wanted: Wanted };

const DEFAULT_COUNT = 100;
export const MAX_COUNT = 200;
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const whole = (value: unknown, otherwise: number, name: string): number => {
  if (value === undefined || value === '') return otherwise;
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isInteger(number)) throw invalid('invalidValue', `${name} is a whole number`);
  return number;
};
const names = (value: unknown, name: string): string[] | null => {
  if (value === undefined || value === '') return null;
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : null;
  if (!list?.every((one): one is string => typeof one === 'string') || list.length > 100)
    throw invalid('invalidValue', `${name} is a list of names`);
  // A full name has its schema before it; names here are unique without.
  return list.map((one) => one.trim().replace(/^urn:[^\s]*:(?=[^:]+$)/i, '')).filter((one) => one !== '');
};

export const readWanted = (query: unknown): Wanted => {
  const given = isObject(query) ? query : {};
  const only = names(given['attributes'], 'attributes');
  return { only, without: only === null ? (names(given['excludedAttributes'], 'excludedAttributes') ?? []) : [] };
};

/** What a list is asked for, in its address or in the body of a search. Throws ScimError. */
export const readAsked = (query: unknown): Asked => {
  const given = isObject(query) ? query : {};
  const { filter } = given;
  if (filter !== undefined && typeof filter !== 'string') throw invalid('invalidFilter', 'A filter is a text');
  return {
    filter: filter === undefined || filter.trim() === '' ? null : readFilter(filter),
    startIndex: Math.max(1, whole(given['startIndex'], 1, 'startIndex')),
    count: Math.min(MAX_COUNT, Math.max(0, whole(given['count'], DEFAULT_COUNT, 'count'))),
    wanted: readWanted(given),
  };
};

/** One that most lists ask for is found by its index: an expression that no index has stands around the others. */
const byIndex = ({ filter }: Asked, indexed: Readonly<Record<string, (value: string) => RawBuilder<SqlBool>>>): RawBuilder<SqlBool> => {
  if (filter?.kind !== 'compare' || filter.operator !== 'eq' || filter.path.sub !== null || typeof filter.value !== 'string')
    return sql`true`;
  return indexed[filter.path.attr.toLowerCase()]?.(filter.value) ?? sql`true`;
};

export const whereOf = (
  asked: Asked,
  places: Places,
  indexed: Readonly<Record<string, (value: string) => RawBuilder<SqlBool>>>,
): RawBuilder<SqlBool> =>
  asked.filter === null ? sql`true` : sql<SqlBool>`(${byIndex(asked, indexed)} and ${conditionOf(asked.filter, places)})`;

export const listOf = (asked: Pick<Asked, 'startIndex'>, totalResults: number, resources: readonly Resource[]) => ({
  schemas: [LIST],
  totalResults,
  startIndex: asked.startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
