import { invalid } from './errors.ts';
import { named, SCHEMAS, type Attribute, type Kind } from './schemas.ts';

export type Resource = Record<string, unknown>;
export const isObject = (value: unknown): value is Resource => typeof value === 'object' && value !== null && !Array.isArray(value);

const MOST_VALUES = 100;
const LONGEST = 1_000;

const textOf = (value: unknown, name: string): string => {
  if (typeof value !== 'string') throw invalid('invalidValue', `${name} is a text`);
  if (value.length > LONGEST) throw invalid('invalidValue', `${name} is longer than ${LONGEST} characters`);
  return value;
};
/** Some directories send the word. */
const booleanOf = (value: unknown, name: string): boolean => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw invalid('invalidValue', `${name} is true or false`);
};

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

const partsOf = (attribute: Attribute, value: unknown): Resource => {
  // A list of addresses may come as bare texts, and a part as what it is called.
  const given = isObject(value) ? value : typeof value === 'string' && attribute.multiValued ? { value } : null;
  if (given === null) throw invalid('invalidValue', `${attribute.name} has parts`);
  return readParts(attribute.subAttributes ?? [], given);
};

/** One value of an attribute, read by its kind. Throws ScimError `invalidValue`. */
export const readOne = (attribute: Attribute, value: unknown): unknown => {
  if (attribute.type === 'complex') return partsOf(attribute, value);
  return attribute.type === 'boolean' ? booleanOf(value, attribute.name) : textOf(value, attribute.name);
};

export const readValue = (attribute: Attribute, value: unknown): unknown => {
  if (isNothing(value) && (!isObject(value) || attribute.type === 'complex')) return undefined;
  if (!attribute.multiValued) {
    const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
    const read = readOne(attribute, only);
    return isNothing(read) ? undefined : read;
  }
  const values = Array.isArray(value) ? value : [value];
  if (values.length > MOST_VALUES) throw invalid('invalidValue', `${attribute.name} has more than ${MOST_VALUES} values`);
  return onePrimary(values.filter((one) => !isNothing(one)).map((one) => readOne(attribute, one)));
};

/** The last one that says so (RFC 7643, section 2.4: at most one). */
export const onePrimary = (values: readonly unknown[]): unknown[] => {
  const last = values.findLastIndex((one) => isObject(one) && one['primary'] === true);
  return values.map((one, at) => (isObject(one) && one['primary'] === true && at !== last ? { ...one, primary: false } : one));
};

const readParts = (attributes: readonly Attribute[], given: Resource): Resource => {
  const read: Resource = {};
  for (const [name, value] of Object.entries(given)) {
    const attribute = named(attributes, name);
    const one = attribute ? readValue(attribute, value) : undefined;
    if (attribute && one !== undefined) read[attribute.name] = one;
  }
  return read;
};

/**
 * A resource as it was sent, with the names of its schema however they were written, without what is not its sender's to say (read-only) or
 * nobody's here. Throws ScimError where a value is of another kind, or one that is needed is missing.
 */
export const readResource = (kind: Kind, attributes: readonly Attribute[], body: unknown): Resource => {
  if (!isObject(body)) throw invalid('invalidSyntax', 'The body is a resource');
  const urn = SCHEMAS[kind].id;
  const { schemas } = body;
  if (!Array.isArray(schemas) || !schemas.some((one) => typeof one === 'string' && one.toLowerCase() === urn.toLowerCase()))
    throw invalid('invalidSyntax', `schemas names ${urn}`);
  const read = readParts(
    attributes.filter(({ mutability }) => mutability !== 'readOnly'),
    body,
  );
  return whole(attributes, read);
};

export const whole = (attributes: readonly Attribute[], resource: Resource): Resource => {
  for (const { name, required } of attributes) {
    const value = resource[name];
    if (required && (typeof value !== 'string' || value.trim() === '')) throw invalid('invalidValue', `${name} is needed`);
  }
  return resource;
};

/** `attributes` and `excludedAttributes` of RFC 7644, section 3.9. */
export type Wanted = { only: readonly string[] | null; without: readonly string[] };

const isNamed = (list: readonly string[], name: string): boolean => list.some((one) => one.toLowerCase() === name.toLowerCase());
const partsNamed = (list: readonly string[], name: string): string[] =>
  list.filter((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}.`)).map((one) => one.slice(name.length + 1));

export const wants = ({ only, without }: Wanted, name: string): boolean =>
  only === null ? !isNamed(without, name) : isNamed(only, name) || partsNamed(only, name).length > 0;

const pick = (value: unknown, keep: (part: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => pick(one, keep));
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([part]) => keep(part))) : value;
};

export const project = (attributes: readonly Attribute[], resource: Resource, wanted: Wanted): Resource => {
  const kept = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    if (named(attributes, name)?.returned === 'always') return [[name, value]];
    if (!wants(wanted, name)) return [];
    const parts = partsNamed(wanted.only ?? wanted.without, name);
    if (parts.length === 0 || (wanted.only !== null && isNamed(wanted.only, name))) return [[name, value]];
    return [[name, pick(value, (part) => isNamed(parts, part) === (wanted.only !== null))]];
  });
  return Object.fromEntries(kept);
};
