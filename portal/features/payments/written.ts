import { asWritten, readJson } from '@hatchway/contract/json.ts';

/** One name with its value, as it is edited; `key` stays while the name is typed. */
export type Line = { key: string; name: string; value: unknown };

export const linesOf = (details: Record<string, unknown>): Line[] =>
  Object.entries(details).map(([name, value]) => ({ key: crypto.randomUUID(), name, value }));

/** A value as people read it: text as it is, anything else as JSON. What nobody touches keeps its kind. */
export const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The object that was typed as JSON; null for what is none. */
export const objectOf = (json: string): Record<string, unknown> | null => {
  try {
    const value: unknown = readJson(json, asWritten);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};
