import { sql } from 'kysely';
import type { DirectoryProblem } from '@hatchway/domain/directory.ts';
import type { RowOf } from '../../db/schema.ts';
import { newId } from '../../ids.ts';
import { systemScope } from '../../scope.ts';
import { tellRenamed } from '../companies/membership-commands.ts';
import { membershipsOf } from '../companies/queries.ts';
import type { Run } from './run.ts';

type Person = RowOf<'directory_people'>;

/** The transaction sees this account, whatever company it belongs to; an empty id ends that. */
const seeAccount = ({ tx }: Run, id: string) => sql`select set_config('app.account_id', ${id}, true)`.execute(tx);

const within = async <T>(run: Run, id: string, act: () => Promise<T>): Promise<T> => {
  await seeAccount(run, id);
  const result = await act();
  await seeAccount(run, '');
  return result;
};

const accountWith = async ({ tx }: Run, login: string): Promise<string | null> =>
  (await sql<{ id: string | null }>`select find_account(${login}) as id`.execute(tx)).rows[0]?.id ?? null;

const isManaged = (run: Run, id: string): Promise<boolean> =>
  within(run, id, async () => {
    const row = await run.tx.selectFrom('accounts').select('managed_by').where('id', '=', id).executeTakeFirst();
    return row?.managed_by === run.scope.tenantId;
  });

const isMember = async ({ tx, scope }: Run, accountId: string): Promise<boolean> =>
  (await tx
    .selectFrom('memberships')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()) !== undefined;

const isAdmin = async ({ tx, scope }: Run, accountId: string): Promise<boolean> =>
  (await tx
    .selectFrom('memberships')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`'admin' = any(roles)`)
    .executeTakeFirst()) !== undefined;

const isSomebodyElses = async ({ tx, scope }: Run, accountId: string, personId: string): Promise<boolean> =>
  (await tx
    .selectFrom('directory_people')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('account_id', '=', accountId)
    .where('id', '!=', personId)
    .executeTakeFirst()) !== undefined;

const newAccount = async (run: Run, person: Person): Promise<string | null> => {
  const { tx, scope } = run;
  const id = newId();
  const company = await tx.selectFrom('companies').select('locale').where('id', '=', scope.tenantId).executeTakeFirst();
  const made = await within(run, id, () =>
    tx
      .insertInto('accounts')
      .values({
        id,
        name: person.display_name,
        email: person.email,
        email_proved: false,
        locale: company?.locale ?? 'nb',
        managed_by: scope.tenantId,
        created_at: scope.now,
        updated_at: scope.now,
      })
      // another company's directory or invitation made one of that address in this very moment
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst(),
  );
  return made.numInsertedOrUpdatedRows === 1n ? id : null;
};

/**
 * Whose account a person of the directory is: that of this company's member who has their address, or one that the directory made before;
 * else a new one. Never an administrator's, nor one of somebody who does not belong here: the directory's word proves no address
 * (docs/decisions/0016-directory.md).
 */
export const accountFor = async (run: Run, person: Person): Promise<{ accountId: string } | { problem: DirectoryProblem }> => {
  const found = person.email === null ? null : await accountWith(run, person.email);
  if (found === null) {
    const made = await newAccount(run, person);
    return made === null ? { problem: 'account-elsewhere' } : { accountId: made };
  }
  if (!(await isMember(run, found)) && !(await isManaged(run, found))) return { problem: 'account-elsewhere' };
  if (await isAdmin(run, found)) return { problem: 'administrator' };
  return (await isSomebodyElses(run, found, person.id)) ? { problem: 'address-taken' } : { accountId: found };
};

/** Whoever looks at members anywhere sees it, and whoever signs them in is told. */
const tellChanged = async (run: Run, accountId: string): Promise<void> => {
  const { tx, scope } = run;
  const see = (tenantId: string) => sql`select set_config('app.tenant_id', ${tenantId}, true)`.execute(tx);
  for (const { tenantId } of await within(run, accountId, () => membershipsOf(tx, accountId))) {
    await see(tenantId);
    await tellRenamed(tx, systemScope(tenantId, scope.now), accountId);
  }
  await see(scope.tenantId);
};

/**
 * Name, address and number as the directory says, in an account that it made and keeps. Answers what was left out, since another account
 * has it: two companies' people may not get in each other's way.
 */
export const writeAccount = async (run: Run, accountId: string, person: Person): Promise<('email' | 'tlf')[]> => {
  const free = async (login: string | null): Promise<boolean> => {
    const found = login === null ? null : await accountWith(run, login);
    return found === null || found === accountId;
  };
  if (!(await isManaged(run, accountId))) return [];
  const email = await free(person.email);
  const tlf = await free(person.tlf);
  const next = { name: person.display_name, email: email ? person.email : null, tlf: tlf ? person.tlf : null };
  const changed = await within(run, accountId, () =>
    run.tx
      .updateTable('accounts')
      .set((eb) => ({
        ...next,
        email_proved: sql<boolean>`email_proved and email is not distinct from ${next.email}`,
        updated_at: run.scope.now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', accountId)
      .where(sql<boolean>`(name, email, tlf) is distinct from (${next.name}, ${next.email}, ${next.tlf})`)
      .executeTakeFirst(),
  );
  if (changed.numUpdatedRows > 0n) await tellChanged(run, accountId);
  return [...(email ? [] : (['email'] as const)), ...(tlf ? [] : (['tlf'] as const))];
};
