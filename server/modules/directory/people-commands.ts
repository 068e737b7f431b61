import type { DirectorySource } from '@hatchway/domain/directory.ts';
import { isEmail, normalEmail } from '@hatchway/domain/receiver.ts';
import { normalText, oneLine } from '@hatchway/domain/text.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { newId } from '../../ids.ts';
import { phoneNumber } from '../../phone.ts';
import { updateRow } from '../../rows.ts';
import type { Run } from './run.ts';

/** A person as the directory says. What is not given is not known; `ref` is their id there. */
export type ToldPerson = {
  ref: string;
  userName: string;
  displayName?: string | null;
  givenName?: string | null;
  familyName?: string | null;
  email?: string | null;
  phone?: string | null;
  active: boolean;
  /** Of SCIM alone: the client's own id, and all that was said. */
  externalId?: string | null;
  resource?: Record<string, unknown>;
};

const NAME_MAX = 100;
const short = (text: string | null | undefined): string =>
  Array.from(oneLine(normalText(text ?? '')))
    .slice(0, NAME_MAX)
    .join('');

const country = async ({ tx, scope }: Run): Promise<string> =>
  (await tx.selectFrom('companies').select('country').where('id', '=', scope.tenantId).executeTakeFirst())?.country ?? 'NO';

/** What cannot be an address or number is none: the directory's word is kept in `resource`, and nothing is ever sent there. */
const columnsOf = async (run: Run, told: ToldPerson) => {
  const email = normalEmail(told.email ?? '');
  const number = told.phone ? phoneNumber(told.phone, await country(run)) : null;
  const given = short(told.givenName);
  const family = short(told.familyName);
  return {
    external_id: told.externalId ?? null,
    user_name: told.userName,
    display_name: short(told.displayName) || short(`${given} ${family}`) || short(told.userName),
    given_name: given || null,
    family_name: family || null,
    email: isEmail(email) ? email : null,
    tlf: number?.takesSms === true ? number.number : null,
    active: told.active,
    resource: jsonb(told.resource ?? {}),
  };
};

/** Writes down what the directory says of a person, new or known. Answers their row's id. Throws `name-taken` for a userName that SCIM has told of already. */
export const takePerson = async (run: Run, source: DirectorySource, told: ToldPerson, id: string = newId()): Promise<string> => {
  const { tx, scope } = run;
  const columns = { ...(await columnsOf(run, told)), gone_at: null, released: false, due: true, updated_at: scope.now };
  const row = await tx
    .insertInto('directory_people')
    .values({ tenant_id: scope.tenantId, id, source, ref: told.ref, ...columns, created_at: scope.now })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'source', 'ref'])
        .doUpdateSet((eb) => ({ ...columns, version: eb('directory_people.version', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
};

/** The directory knows them no more. Repeating it changes nothing; false where they were not known. */
export const dropPerson = async ({ tx, scope }: Run, source: DirectorySource, ref: string): Promise<boolean> => {
  const row = await tx
    .updateTable('directory_people')
    .set((eb) => ({ gone_at: scope.now, due: true, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('source', '=', source)
    .where('ref', '=', ref)
    .where('gone_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  await tx
    .deleteFrom('directory_members')
    .where('tenant_id', '=', scope.tenantId)
    .where('source', '=', source)
    .where('person_ref', '=', ref)
    .execute();
  return row !== undefined;
};

/** An administrator removed them by hand and says otherwise now, or wants it tried again. False for an id that is nobody's. */
export const takeUpPerson = async ({ tx, scope }: Run, id: string): Promise<boolean> => {
  const row = await updateRow(tx, 'directory_people', scope.tenantId, id)
    .set({ problem: null, due: true, updated_at: scope.now })
    .where('gone_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * The company lets go of the directory. What it gave ends; who came by it alone is no member any more. Who was one before, or was given
 * something by hand, stays with that.
 */
export const releaseDirectory = async ({ tx, scope }: Run, source: DirectorySource): Promise<void> => {
  const of = { tenant_id: scope.tenantId, source };
  await tx
    .deleteFrom('directory_members')
    .where((eb) => eb.and(of))
    .execute();
  await tx
    .deleteFrom('directory_groups')
    .where((eb) => eb.and(of))
    .execute();
  await tx
    .updateTable('directory_people')
    .set((eb) => ({ gone_at: scope.now, released: true, due: true, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where((eb) => eb.and(of))
    .execute();
};
