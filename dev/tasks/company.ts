import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ApiError, type CallResult, type Client } from '@hatchway/contract/client.ts';
import { bareAmount } from '@hatchway/domain/price.ts';
import { books } from '@hatchway/portal/i18n/en/books.ts';
import { operatorKeyOf, secretOf, usualFolder } from '../data-folder.ts';
import { asOperator } from '../person.ts';

const usage = `The operator's calls: companies and their licences.

  npm run company -- list
  npm run company -- add --name "Nordlys AS" --licenses delivery,lending --admin-name "Kari Berg" --admin-email kari@example.com
  npm run company -- licenses --id <id> --licenses delivery,sale,sales
  npm run company -- invite --id <id> --admin-email kari@example.com
  npm run company -- suspend --id <id>
  npm run company -- resume --id <id>
  npm run company -- export --id <id> --to nordlys.jsonl
  npm run company -- delete --id <id> --name "Nordlys AS"
  npm run company -- reconcile --id <id> --day 2026-11-27
  npm run company -- sms [--id <id>]

reconcile sets what the company's payment provider says of each payment of a day (today, by the company's clock) beside what stands here,
and ends with 1 where anything differs.

sms says what a company's SMS weighed and cost, month by month; without --id that of all companies.

Against the server of npm start, or any other one: --url https://lockers.example.com with OPERATOR_KEY in the environment.
Licences: delivery, sale and sales (a company that sells is given both), lending, storage, consumable, recall, integrator.`;

const options = {
  url: { type: 'string' },
  id: { type: 'string' },
  name: { type: 'string' },
  to: { type: 'string' },
  day: { type: 'string' },
  licenses: { type: 'string' },
  'admin-name': { type: 'string' },
  'admin-email': { type: 'string' },
  'admin-tlf': { type: 'string' },
} as const;

type Values = { [K in keyof typeof options]?: string | undefined };
class Missing extends Error {}

const need = (values: Values, key: keyof typeof options): string => {
  const value = values[key];
  if (!value) throw new Missing(`--${key} is missing.`);
  return value;
};
const list = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** All of them, by name, page after page. */
async function everyCompany(operator: Client): Promise<CallResult<'GET /operator/companies'>> {
  const query = { sort: 'name', limit: 500 };
  const first = await operator.page('GET /operator/companies', { query });
  const rows = [...first.rows];
  for (let cursor = first.next; cursor !== null;) {
    const more = await operator.page('GET /operator/companies', { query: { ...query, cursor } });
    rows.push(...more.rows);
    cursor = more.next;
  }
  return rows;
}

type Compared = CallResult<'GET /operator/companies/{id}/reconcile'>;
const lineOf = ({ reference, currency, ours, theirs, todo, error }: Compared[number]) => {
  const sum = (amount: number) => bareAmount({ amount, currency }, 'en');
  const told = ({ state, captured, refunded }: typeof ours) => `${state} ${sum(captured)} - ${sum(refunded)}`;
  return { reference, currency, here: told(ours), there: theirs === null ? '' : told(theirs), 'to do': todo ?? '', said: error ?? '' };
};

/** Every payment of the day, page after page, and below them what each difference asks of somebody. */
async function compareBooks(operator: Client, id: string, day: string | undefined): Promise<{ compared: number; differ: number }> {
  const rows: Compared = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await operator.page('GET /operator/companies/{id}/reconcile', { params: { id }, query: { day, cursor } });
    rows.push(...page.rows);
    cursor = page.next;
  }
  if (rows.length > 0) console.table(rows.map(lineOf));
  const todos = rows.flatMap(({ todo }) => todo ?? []);
  for (const todo of new Set(todos)) console.log(`${todo}: ${books.todos[todo]}`);
  if (todos.length > 0) throw new Error(`${todos.length} of ${rows.length} differ.`);
  return { compared: rows.length, differ: 0 };
}

/** A line for each company and month: parts are what a gateway bills; a price stands where it said one. */
async function smsCosts(operator: Client, id: string | undefined) {
  const all = await everyCompany(operator);
  const rows = [];
  for (const one of all.filter((company) => id === undefined || company.id === id))
    for (const { month, messages, segments, unsure, prices } of await operator('GET /operator/companies/{id}/sms', {
      params: { id: one.id },
    })) {
      if (messages + unsure === 0) continue;
      const billed = prices.map(({ currency, amount, messages: of }) => `${amount.toFixed(4)} ${currency} (${of} messages)`);
      rows.push({ id: one.id, name: one.name, month, messages, parts: segments, 'nobody knows': unsure, billed: billed.join(' + ') });
    }
  return rows;
}

async function act(verb: string, values: Values): Promise<unknown> {
  const url = values.url ?? `http://localhost:${process.env.PORT ?? 8080}`;
  // only a server of this folder's own npm start has a key that follows from its secret
  const own = !values.url && existsSync(path.join(usualFolder, 'secret'));
  const key = process.env.OPERATOR_KEY ?? (own ? operatorKeyOf(secretOf(usualFolder)) : undefined);
  if (!key) throw new Missing('OPERATOR_KEY is missing: it is the key that the server was started with.');
  const operator = asOperator(url, key);
  const params = () => ({ id: need(values, 'id') });
  switch (verb) {
    case 'list':
      return (await everyCompany(operator)).map(({ id, name, licenses, suspendedAt }) => ({
        id,
        name,
        licenses: licenses.join(' '),
        suspended: suspendedAt ?? '',
      }));
    case 'add': {
      const tlf = values['admin-tlf'];
      const admin = { name: need(values, 'admin-name'), email: need(values, 'admin-email'), ...(tlf ? { tlf } : {}) };
      const made = await operator('POST /operator/companies', {
        body: { name: need(values, 'name'), licenses: list(values.licenses ?? ''), admin },
      });
      return { id: made.id, name: made.name, 'invitation for its administrator': made.invitationUrl };
    }
    case 'invite': {
      const tlf = values['admin-tlf'];
      const body = { email: need(values, 'admin-email'), ...(tlf ? { tlf } : {}) };
      const { invitationUrl } = await operator('POST /operator/companies/{id}/invitations', { params: params(), body });
      return { 'invitation for its administrator': invitationUrl };
    }
    case 'licenses':
      return operator('PUT /operator/companies/{id}', { params: params(), body: { licenses: list(need(values, 'licenses')) } });
    case 'suspend':
    case 'resume':
      return operator('PUT /operator/companies/{id}', { params: params(), body: { suspended: verb === 'suspend' } });
    case 'export': {
      const to = need(values, 'to');
      const all = await operator('GET /operator/companies/{id}/export', { params: params() });
      // Names, numbers and addresses of people stand in it.
      await writeFile(to, all.stream(), { mode: 0o600, flag: 'wx' });
      return { written: to, bytes: all.size };
    }
    case 'delete': {
      const company = await operator('GET /operator/companies/{id}', { params: params() });
      if (company.name !== need(values, 'name'))
        throw new Missing(`--name must repeat the company's name, "${company.name}": this deletes it and all that is its own.`);
      await operator('DELETE /operator/companies/{id}', { params: params() });
      return { deleted: company.name };
    }
    case 'reconcile':
      return compareBooks(operator, need(values, 'id'), values.day);
    case 'sms':
      return smsCosts(operator, values.id);
    default:
      throw new Missing(usage);
  }
}

export async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const result = await act(positionals[0] ?? '', values);
    if (Array.isArray(result)) console.table(result);
    else console.log(JSON.stringify(result, null, 2));
    return 0;
  } catch (error) {
    if (error instanceof ApiError) console.error(error.problem?.detail ?? error.message);
    else if (error instanceof TypeError && error.message === 'fetch failed') console.error('No Hatchway answers there. Is it started?');
    else console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
