import { isDeepStrictEqual } from 'node:util';
import { invalid } from './errors.ts';
import { readPatchPath, type PatchPath } from './filter.ts';
import { fits, impliedBy } from './match.ts';
import { isObject, onePrimary, readOne, readValue, whole, type Resource } from './resource.ts';
import { isUnkept, named, type Attribute } from './schemas.ts';

type Verb = 'add' | 'replace' | 'remove';
export type Operation = { verb: Verb; path: string | null; value: unknown };

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MOST = 1_000;

const operationOf = (given: unknown): Operation => {
  const word = isObject(given) && typeof given['op'] === 'string' ? given['op'].toLowerCase() : '';
  if (!isObject(given) || (word !== 'add' && word !== 'replace' && word !== 'remove'))
    throw invalid('invalidSyntax', 'An operation adds, replaces or removes');
  const { path } = given;
  if (path !== undefined && path !== null && typeof path !== 'string') throw invalid('invalidPath', 'A path is a text');
  return { verb: word, path: path === undefined || path === null || path.trim() === '' ? null : path, value: given['value'] };
};

/** Throws ScimError `invalidSyntax`. */
export const readOperations = (body: unknown): Operation[] => {
  const schemas = isObject(body) ? body['schemas'] : undefined;
  const list = isObject(body) ? (body['Operations'] ?? body['operations']) : undefined;
  if (!Array.isArray(schemas) || !schemas.some((one) => typeof one === 'string' && one.toLowerCase() === PATCH.toLowerCase()))
    throw invalid('invalidSyntax', `schemas names ${PATCH}`);
  if (!Array.isArray(list) || list.length === 0) throw invalid('invalidSyntax', 'Operations is a list with something in it');
  if (list.length > MOST) throw invalid('tooMany', `More than ${MOST} operations`);
  return list.map(operationOf);
};

/** Without a path each name of the value is one, also `name.familyName` and `emails[type eq "work"].value`, as some directories write. */
export type Part = { verb: Verb; path: string; value: unknown; isWhole: boolean };
export const parted = ({ verb, path, value }: Operation): Part[] => {
  if (path !== null) return [{ verb, path, value, isWhole: false }];
  if (verb === 'remove') throw invalid('noTarget', 'What is removed needs a path');
  if (!isObject(value)) throw invalid('invalidValue', 'Without a path the value is a resource');
  return Object.entries(value).map(([name, one]) => ({ verb, path: name, value: one, isWhole: true }));
};

export const pathOf = (text: string): PatchPath => {
  const path = readPatchPath(text);
  if (!path) throw invalid('invalidPath', `${text.slice(0, 100)} is no path`);
  return path;
};

const setParts = (attribute: Attribute, before: Resource, sub: string | null, value: unknown): Resource => {
  if (sub === null) {
    const next = { ...before };
    for (const [name, given] of Object.entries(isObject(value) ? value : { value })) setPart(attribute, next, name, given);
    return next;
  }
  const next = { ...before };
  if (!named(attribute.subAttributes, sub)) throw invalid('invalidPath', `${attribute.name} has no ${sub}`);
  setPart(attribute, next, sub, value);
  return next;
};

const setPart = (attribute: Attribute, target: Resource, name: string, value: unknown): void => {
  const part = named(attribute.subAttributes, name);
  if (!part || part.mutability === 'readOnly') return;
  const read = readValue(part, value);
  if (read === undefined) delete target[part.name];
  else target[part.name] = read;
};

/** The one that is primary now is the only one. */
const settledPrimary = (values: readonly unknown[], changed: readonly unknown[]): unknown[] => {
  const chosen = changed.find((one) => isObject(one) && one['primary'] === true);
  if (chosen === undefined) return [...values];
  return values.map((one) => (isObject(one) && one !== chosen && one['primary'] === true ? { ...one, primary: false } : one));
};

const changeList = (
  attribute: Attribute,
  held: readonly unknown[],
  verb: 'add' | 'replace',
  path: PatchPath,
  value: unknown,
): unknown[] => {
  const { of, sub } = path;
  const values = held.filter(isObject);
  if (of === null && sub === null) {
    const given = (readValue(attribute, value) ?? []) as unknown[];
    if (verb === 'replace') return onePrimary(given);
    const added = given.filter((one) => !held.some((known) => isDeepStrictEqual(known, one)));
    return settledPrimary([...held, ...added], added);
  }
  const hits = of === null ? values : values.filter((one) => fits(of, one, attribute.subAttributes));
  if (hits.length === 0) {
    const implied = of === null ? {} : impliedBy(of, attribute.subAttributes);
    if (verb === 'replace' || implied === null) throw invalid('noTarget', `Nothing in ${attribute.name} fits`);
    const made = setParts(attribute, readOne(attribute, implied) as Resource, sub, value);
    return settledPrimary([...held, made], [made]);
  }
  const changed = new Map(
    hits.map((one) => [
      one,
      verb === 'replace' && sub === null ? (readOne(attribute, value) as Resource) : setParts(attribute, one, sub, value),
    ]),
  );
  return settledPrimary(
    held.map((one) => (isObject(one) ? (changed.get(one) ?? one) : one)),
    [...changed.values()],
  );
};

const removeFrom = (attribute: Attribute, held: readonly unknown[], { of, sub }: PatchPath, value: unknown): unknown[] => {
  if (of === null && sub === null) {
    // Not by the RFC, and meant by all who send it: these values, not every one.
    const given = value === undefined || value === null ? null : ((readValue(attribute, value) ?? []) as unknown[]);
    const isGiven = (one: unknown) =>
      given?.some((other) => isDeepStrictEqual(other, one) || (isObject(other) && isObject(one) && other['value'] === one['value'])) ??
      true;
    return held.filter((one) => !isGiven(one));
  }
  return held.flatMap((one) => {
    if (!isObject(one) || (of !== null && !fits(of, one, attribute.subAttributes))) return [one];
    if (sub === null) return [];
    const next = setParts(attribute, one, sub, undefined);
    return Object.keys(next).length === 0 ? [] : [next];
  });
};

const put = (resource: Resource, name: string, value: unknown): void => {
  if (value === undefined || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0))
    delete resource[name];
  else resource[name] = value;
};

/** Writes one operation into the resource. Throws ScimError. */
const applyOne = (attributes: readonly Attribute[], resource: Resource, { verb, path: text, value, isWhole }: Part) => {
  const path = pathOf(text);
  if (isWhole && /^(schemas|id|meta)$/i.test(path.attr)) return;
  const attribute = isUnkept(path) ? undefined : named(attributes, path.attr);
  if (!attribute) {
    if (isUnkept(path) || isWhole) return;
    throw invalid('invalidPath', `There is no ${path.attr.slice(0, 100)}`);
  }
  if (attribute.mutability === 'readOnly') {
    if (isWhole) return;
    throw invalid('mutability', `${attribute.name} is not the client's to change`);
  }
  const held = resource[attribute.name];
  if (attribute.multiValued) {
    const list = Array.isArray(held) ? held : [];
    put(
      resource,
      attribute.name,
      verb === 'remove' ? removeFrom(attribute, list, path, value) : changeList(attribute, list, verb, path, value),
    );
    return;
  }
  if (path.of !== null) throw invalid('invalidPath', `${attribute.name} is no list`);
  if (verb === 'remove' && attribute.required) throw invalid('mutability', `${attribute.name} is needed`);
  if (attribute.type === 'complex' && (path.sub !== null || verb !== 'remove')) {
    const before = isObject(held) ? held : {};
    if (verb !== 'remove' && path.sub === null && value !== null && !isObject(value))
      throw invalid('invalidValue', `${attribute.name} has parts`);
    const isGone = verb !== 'remove' && path.sub === null && value === null;
    put(resource, attribute.name, isGone ? undefined : setParts(attribute, before, path.sub, verb === 'remove' ? undefined : value));
    return;
  }
  if (path.sub !== null) throw invalid('invalidPath', `${attribute.name} has no parts`);
  put(resource, attribute.name, verb === 'remove' ? undefined : readValue(attribute, value));
};

/** The resource after all of them, or none of them: whoever catches what is thrown keeps what was. */
export const patched = (attributes: readonly Attribute[], before: Resource, parts: readonly Part[]): Resource => {
  const resource = structuredClone(before);
  for (const part of parts) applyOne(attributes, resource, part);
  return whole(attributes, resource);
};
