import { afterAll, beforeAll, expect, it } from 'vitest';
import { query, testDatabase, type TestDatabase } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { newTenantId } from '../../test-server.ts';
import { activeOf } from './person-queries.ts';

let database: TestDatabase;
const tenant = newTenantId();
const me = newId();
const TLF = '+4791234567';
const EMAIL = 'me@example.test';

type Use = { type?: string; stage?: number; tlf?: string; email?: string; claimer?: string };
type Loan = { account?: string; tlf?: string; email?: string; back?: boolean };
/** Rows alone: the locker that each lies in is not looked at. */
const put = async (use: Use, loan?: Loan, of = tenant): Promise<string> => {
  const id = newId();
  const { type = 'delivery', stage = 3, claimer } = use;
  await query(
    database.ownerUrl,
    `with o as (
       insert into occupations (tenant_id, id, type, service, stage, resume_stage, stage_at, locker_id, door_tag, receiver_tlf, receiver_email,
         claimed_by, created_by, created_at, updated_at)
       values ($1, $2, $3, $3, $4, case when $4 = 6 then 3 end, now(), gen_random_uuid(), 'A1', $5, $6, $7, '{}', now(), now()) returning id)
     insert into loans (tenant_id, id, occupation_id, borrower_account_id, borrower_tlf, borrower_email, out_at, due_at, returned_at, created_at, updated_at)
     select $1, gen_random_uuid(), o.id, $9, $10, $11, now(), now(), case when $12 then now() end, now(), now() from o where $8`,
    [
      of, id, type, stage, use.tlf ?? null, use.email ?? null, claimer ? JSON.stringify({ kind: 'person', id: claimer, name: '' }) : null,
      loan !== undefined, loan?.account ?? null, loan?.tlf ?? null, loan?.email ?? null, loan?.back ?? false,
    ],
  ); // prettier-ignore
  return id;
};

beforeAll(async () => {
  database = await testDatabase();
  for (const table of ['occupations', 'loans']) await query(database.ownerUrl, `alter table ${table} disable trigger all`);
});
afterAll(() => database.close());

it('counts what somebody has in use once, however they are known, and nothing of anybody else', async () => {
  const stored = await put({ type: 'storage', tlf: TLF, email: EMAIL });
  await put({ stage: 6, claimer: me });
  await put({ stage: 6, tlf: TLF });
  await put({ type: 'lending', stage: 7 }, { account: me, tlf: TLF });
  await put({ type: 'lending', stage: 7 }, { tlf: TLF });
  await put({ type: 'lending', stage: 7 }, { email: EMAIL });
  await put({ type: 'lending', stage: 7, email: EMAIL }, {});
  // Brought by them, or by others, and fetched by staff.
  await put({ type: 'recall', stage: 6, tlf: TLF, email: EMAIL });
  await put({ type: 'drop-off', stage: 6, claimer: me });
  // Waiting for them only, over, brought back, somebody else's, another company's.
  await put({ tlf: TLF, email: EMAIL });
  await put({ type: 'storage', stage: 98, tlf: TLF });
  await put({ type: 'lending', tlf: TLF }, { account: me, tlf: TLF, email: EMAIL, back: true });
  await put({ type: 'storage', tlf: '+4799999999', email: 'you@example.test' });
  await put({ stage: 6, claimer: newId() });
  await put({ type: 'storage', tlf: TLF, email: EMAIL }, undefined, newTenantId());
  const count = (person: { accountId?: string; tlf?: string; email?: string }, without: string | null = null) => {
    const receiver = person.tlf || person.email ? { name: 'Me', tlf: person.tlf ?? null, email: person.email ?? null } : null;
    return database.db.tenant(tenant, (tx) => activeOf(tx, tenant, { accountId: person.accountId ?? null, receiver }, without));
  };
  expect(await count({ accountId: me, tlf: TLF, email: EMAIL })).toBe(7);
  expect(await count({ accountId: me, tlf: TLF, email: EMAIL }, stored)).toBe(6);
  expect(await count({ accountId: me })).toBe(2);
  expect(await count({ tlf: TLF })).toBe(4);
  expect(await count({ email: EMAIL })).toBe(3);
  expect(await count({})).toBe(0);
});
