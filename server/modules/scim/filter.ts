import { invalid } from './errors.ts';

/** `emails.value` is `attr` and `sub`; a full name has its schema before it. */
export type AttributePath = { schema: string | null; attr: string; sub: string | null };
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];
export type Value = string | number | boolean | null;
/** RFC 7644, section 3.4.2.2. `has`: one value of a list fits all of `of`. */
export type Filter =
  | { kind: 'and' | 'or'; left: Filter; right: Filter }
  | { kind: 'not'; of: Filter }
  | { kind: 'compare'; path: AttributePath; operator: Operator; value: Value }
  | { kind: 'present'; path: AttributePath }
  | { kind: 'has'; path: AttributePath; of: Filter };

const LONGEST = 2_000;
/** Deeper than anything that a directory asks, and far from where a stack ends. */
const DEEPEST = 20;
const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
type Token = { text: string; quoted: boolean };

const tokens = (text: string): Token[] => {
  if (text.length > LONGEST) throw invalid('invalidFilter', 'The filter is too long');
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (!match) throw invalid('invalidFilter', 'The filter cannot be read');
    found.push({ text: match[1] ?? match[2] ?? match[3] ?? '', quoted: match[2] !== undefined });
  }
  return found;
};

const NAME = /^(?:(urn:[a-z0-9][\w.:-]*):)?([a-z$][\w$-]*)(?:\.([a-z$][\w$-]*))?$/i;
/** Null for what is no name of an attribute. */
export const readAttributePath = (text: string): AttributePath | null => {
  const match = NAME.exec(text);
  return match ? { schema: match[1] ?? null, attr: match[2] ?? '', sub: match[3] ?? null } : null;
};

const valueOf = ({ text, quoted }: Token): Value => {
  if (!quoted && !/^(?:true|false|null|-?\d+(?:\.\d+)?)$/i.test(text)) return text; // some clients leave the quotes out
  try {
    return JSON.parse(quoted ? text : text.toLowerCase()) as Value;
  } catch {
    throw invalid('invalidFilter', 'A value of the filter cannot be read');
  }
};

/** Reads from a token on, and says how far. */
class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  constructor(text: string) {
    this.#tokens = tokens(text);
  }
  whole(): Filter {
    const filter = this.#or();
    if (this.#at < this.#tokens.length) throw invalid('invalidFilter', 'The filter does not end where it should');
    return filter;
  }
  #is(word: string): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && !token.quoted && token.text.toLowerCase() === word;
  }
  #take(word: string): boolean {
    const is = this.#is(word);
    if (is) this.#at += 1;
    return is;
  }
  #must(word: string): void {
    if (!this.#take(word)) throw invalid('invalidFilter', `The filter lacks a ${word}`);
  }
  #next(): Token {
    const token = this.#tokens[this.#at];
    if (!token) throw invalid('invalidFilter', 'The filter ends too early');
    this.#at += 1;
    return token;
  }
  #or(): Filter {
    let left = this.#and();
    while (this.#take('or')) left = { kind: 'or', left, right: this.#and() };
    return left;
  }
  #and(): Filter {
    let left = this.#one();
    while (this.#take('and')) left = { kind: 'and', left, right: this.#one() };
    return left;
  }
  #inside(end: string): Filter {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw invalid('invalidFilter', 'The filter is nested too deeply');
    const filter = this.#or();
    this.#must(end);
    this.#depth -= 1;
    return filter;
  }
  #one(): Filter {
    if (this.#take('not')) {
      this.#must('(');
      return { kind: 'not', of: this.#inside(')') };
    }
    if (this.#take('(')) return this.#inside(')');
    const token = this.#next();
    const path = token.quoted ? null : readAttributePath(token.text);
    if (!path) throw invalid('invalidFilter', 'The filter names no attribute');
    if (this.#take('[')) return this.#within(path);
    return this.#comparison(path);
  }
  /** `emails[type eq "work"]`, and `emails[type eq "work"].value eq "x"` as one client asks: both of one and the same value. */
  #within(path: AttributePath): Filter {
    const of = this.#inside(']');
    const sub = this.#tokens[this.#at];
    if (sub === undefined || sub.quoted || !sub.text.startsWith('.')) return { kind: 'has', path, of };
    this.#at += 1;
    const inner = readAttributePath(sub.text.slice(1));
    if (!inner || inner.sub !== null) throw invalid('invalidFilter', 'The filter names no attribute');
    return { kind: 'has', path, of: { kind: 'and', left: of, right: this.#comparison(inner) } };
  }
  #comparison(path: AttributePath): Filter {
    const word = this.#next().text.toLowerCase();
    if (word === 'pr') return { kind: 'present', path };
    const operator = OPERATORS.find((one) => one === word);
    if (!operator) throw invalid('invalidFilter', `There is no operator ${word.slice(0, 20)}`);
    return { kind: 'compare', path, operator, value: valueOf(this.#next()) };
  }
}

/** Throws ScimError `invalidFilter`. */
export const readFilter = (text: string): Filter => new Reader(text).whole();

/** Where a PATCH writes: an attribute, of it the values that fit, of those a part. */
export type PatchPath = AttributePath & { of: Filter | null };
const VALUE_PATH = /^([^[\]]+)\[(.+)\](?:\.([a-z$][\w$-]*))?$/is;
/** Null for what is no path. Throws ScimError `invalidFilter` for what stands in its brackets. */
export const readPatchPath = (text: string): PatchPath | null => {
  const match = VALUE_PATH.exec(text.trim());
  const path = readAttributePath(match?.[1]?.trim() ?? text.trim());
  if (!path || (match && path.sub !== null)) return null;
  return match ? { ...path, of: readFilter(match[2] ?? ''), sub: match[3] ?? null } : { ...path, of: null };
};
