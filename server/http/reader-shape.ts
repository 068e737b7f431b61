/** A JSON Schema as a person reads it: `{ name: text (1–100), lockers?: list of uuid }`, with links to what has a name, and what a field means. */

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  default?: unknown;
  description?: string;
};

export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const quoted = (value: unknown): string => escape(JSON.stringify(value));

const range = (least: number | undefined, most: number | undefined): string => {
  const low = least === undefined || least <= Number.MIN_SAFE_INTEGER ? '' : String(least);
  const high = most === undefined || most >= Number.MAX_SAFE_INTEGER ? '' : String(most);
  if (!low && !high) return '';
  return ` <i>(${low}${low && high ? '–' : high ? '≤ ' : ' or more'}${high})</i>`;
};

const WORDS: Record<string, string> = {
  string: 'text',
  integer: 'integer',
  'date-time': 'time',
  uuid: 'uuid',
  email: 'e-mail',
  date: 'date',
};

/** What a field means, behind its kind. */
export const meaning = ({ description }: { description?: unknown }): string =>
  typeof description === 'string' ? ` <i>— ${escape(description)}</i>` : '';

/** `indent` of the line that the shape begins on. */
export const shape = (value: unknown, indent = ''): string => {
  const schema = (value ?? {}) as Schema;
  if (schema.$ref) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
  }
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (variants) return variants.map((one) => shape(one, indent)).join(' | ');
  if (schema.type === 'array') return `list of ${shape(schema.items, indent)}${range(undefined, schema.maxItems)}`;
  if (schema.type === 'object' && schema.properties && Object.keys(schema.properties).length > 0) {
    const inner = `${indent}  `;
    const lines = Object.entries(schema.properties).map(([name, one]) => {
      const optional = schema.required?.includes(name) ? '' : '?';
      const otherwise = one.default === undefined ? '' : ` <i>= ${quoted(one.default)}</i>`;
      return `${inner}<b>${escape(name)}</b>${optional}: ${shape(one, inner)}${otherwise}${meaning(one)}`;
    });
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0
      ? `object of ${shape(schema.additionalProperties, indent)}`
      : schema.additionalProperties === false
        ? '{}'
        : 'object';
  const word = WORDS[schema.format ?? ''] ?? WORDS[String(schema.type)] ?? schema.type;
  const limits =
    schema.type === 'string'
      ? range(schema.format ? undefined : schema.minLength, schema.maxLength)
      : range(schema.minimum, schema.maximum);
  return `${escape(String(word ?? 'anything'))}${schema.format ? '' : limits}`;
};
