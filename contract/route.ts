import type { z } from 'zod';
import { ADMIN_NOUNS, type AdminNoun } from '@hatchway/domain/access.ts';
import type { ProblemCode } from './problems.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a call touches, in the words of the domain's table "Who may"; server/http/access.ts answers each by a pure function of domain/access.ts. */
const AREAS = [
  'occupations',
  'doors',
  'lock-control',
  'assets.write',
  'builder',
  'storefront',
  'orders',
  'payments.read',
  'payments.write',
  'keys',
  ...ADMIN_NOUNS.map((noun): `admin:${AdminNoun}` => `admin:${noun}`),
] as const;
export type Area = (typeof AREAS)[number];

/**
 * Who may call at all. `public`: no token. `operator`: the operator's key. `signed-in`: any valid token of a member.
 * `company`: the same, and a key that reads or administers the company. `portal`: whoever has portal access. Anything else is an area,
 * asked with what the database says now.
 * What a caller may do to one row is asked again in its command.
 */
export type Access = 'public' | 'operator' | 'signed-in' | 'company' | 'portal' | Area;

/** What a 2xx answer carries: JSON by a schema, nothing (204), or bytes of a media type. */
export type ResponseSpec = z.ZodType | 'nothing' | { binary: string };

export type RouteSpec = {
  method: Method;
  /** Below /v1, with `{name}` for parameters. */
  path: string;
  access: Access;
  /** One line for the reader of the API. */
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body may also come as form data: `data` (JSON, by `body`) and a file, which is an `image`, or for `csv` a `file`. */
  form?: true | 'csv';
  response: ResponseSpec;
  /** Problems beside those that every call can give (malformed, unauthenticated, forbidden, not-found, too-many-requests); none unless said. */
  errors?: readonly ProblemCode[];
  /** A body with this field is its own right: no bearer is asked then, and none is looked at. */
  secretIn?: string;
  /** It moves a door: cut off, it is not done again under its Idempotency-Key, since the door may have moved. */
  movesDoor?: true;
  /** The answer shows a secret: it is never stored for Idempotency-Key. */
  secret?: true;
};

/** Declares one call. Everything else (routing, checks, client types, OpenAPI, tests that walk all calls) comes from this literal. */
export const route = <const R extends RouteSpec>(spec: R): R => spec;

/** Nothing is done by a call of which nothing was said. DELETE says by its address what it is about. */
export const needsBody = ({ method, body }: RouteSpec): boolean =>
  body !== undefined && !(method === 'DELETE' && body.safeParse({}).success);

export type RouteKey<R extends RouteSpec> = `${R['method']} ${R['path']}`;
export type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
export type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
export type ResultOf<R extends RouteSpec> = R['response'] extends z.ZodType
  ? z.output<R['response']>
  : R['response'] extends { binary: string }
    ? Blob
    : undefined;
