import { ScimError } from './errors.ts';
import type { Kind } from './schemas.ts';

type Dated = { id: string; version: number; created_at: string; updated_at: string };

export const etagOf = (version: number): string => `W/"${version}"`;
export const metaOf = (kind: Kind, base: string, row: Dated) => ({
  resourceType: kind,
  created: row.created_at,
  lastModified: row.updated_at,
  location: `${base}/${kind}s/${row.id}`,
  version: etagOf(row.version),
});

/** `If-Match` as it was sent. */
export type Seen = string | undefined;
const tags = (header: string): string[] => header.split(',').map((one) => one.trim());

/** Throws ScimError 412 where the client saw another state of it. */
export const mustMatch = ({ version }: { version: number }, condition: Seen): void => {
  if (condition === undefined || tags(condition).some((one) => one === '*' || one === etagOf(version))) return;
  throw new ScimError(412, 'It was changed since');
};
export const isUnchanged = (version: number, header: string | undefined): boolean =>
  header !== undefined && tags(header).some((one) => one === '*' || one === etagOf(version));
