import fs from 'node:fs';
import path from 'node:path';

/** Tables and columns that schema.ts and tables/*.ts declare. Types are gone when it runs, so their text is read: one `name: type` a line, and named parts. */
export function tablesOfSchema(): Record<string, string[]> {
  const folder = path.join(import.meta.dirname, 'tables');
  const files = [path.join(import.meta.dirname, 'schema.ts'), ...fs.readdirSync(folder).map((name) => path.join(folder, name))];
  const text = files
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  const types = new Map<string, string>();
  for (const [, name, body] of text.matchAll(/^(?:export )?type (\w+) =([\s\S]*?);\n(?=\n|export|type|\/|$)/gm))
    types.set(name ?? '', body ?? '');
  const columns = (type: string): string[] => {
    const body = types.get(type) ?? '';
    const brace = body.indexOf('{');
    const parts = (brace < 0 ? body : body.slice(0, brace)).match(/\b(Row|Named|Words)\b/g) ?? [];
    const own = outer(brace < 0 ? '' : body.slice(brace + 1, body.lastIndexOf('}')));
    return [...parts.flatMap(columns), ...own];
  };
  const tables = [...(types.get('Database') ?? '').matchAll(/(\w+): (\w+);/g)];
  return Object.fromEntries(tables.map(([, table, type]) => [table, columns(type ?? '').toSorted()]));
}

/** Keys at the outermost level of a type's body. */
function outer(body: string): string[] {
  let flat = body;
  for (let before = ''; before !== flat;) {
    before = flat;
    flat = flat.replaceAll(/\{[^{}]*\}|<[^<>]*>|\([^()]*\)/g, '');
  }
  return [...flat.matchAll(/(?:^|;)\s*(\w+)\??:/g)].map(([, key]) => key ?? '');
}
