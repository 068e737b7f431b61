import { randomUUID } from 'node:crypto';
import { ApiError, type Client } from '@hatchway/contract/client.ts';
import { testSession } from './identity/test-token.ts';
import { newId } from './ids.ts';
import { unique, type TestServer } from './test-server.ts';

const ALL_LICENSES = ['delivery', 'sale', 'sales', 'lending', 'storage', 'consumable', 'recall', 'integrator'];
/** Everybody's. */
export const PASSWORD = 'correct horse battery';

export type TestPerson = {
  accountId: string;
  email: string;
  token: string;
  api: Client;
  /** Signs in again: a token with what holds now. */ again: () => Promise<TestPerson>;
};
export type TestCompany = {
  id: string;
  person: (roles: string[], name?: string) => Promise<TestPerson>;
  scoped: (scopes: string[], lockers: string[]) => Promise<TestPerson>;
};

/** A company of its own for one test file: made by the operator, its people put straight into the database, and signed in. */
export const testCompany = async (server: TestServer, licenses: string[] = ALL_LICENSES): Promise<TestCompany> => {
  const { db, now } = server.deps;
  const id = randomUUID();
  await server.operator('POST /operator/companies', {
    body: { id, name: `Company ${unique()}`, licenses, admin: { name: 'Ada Admin', email: `ada-${unique()}@example.test` } },
  });
  const stamps = () => ({ created_at: now().toISOString(), updated_at: now().toISOString() });

  const signIn = async (accountId: string, email: string): Promise<TestPerson> => {
    const mint = await testSession(server.deps, accountId, id);
    const token = await mint();
    if (token === null) throw new Error(`${email} was not let in`);
    let last = Promise.resolve(token);
    // As the portal does: a token lives for five minutes, and a file may take longer. Where that is refused, the old one is refused too.
    const current = () => {
      last = last.then(async (old) => (endOf(old) - Date.now() > 60_000 ? old : ((await mint()) ?? old)));
      return last;
    };
    return { accountId, email, token, api: server.as(current), again: () => signIn(accountId, email) };
  };
  const person = async (roles: string[], name = 'Paul Person') => {
    const accountId = newId();
    const email = `p-${unique()}@example.test`;
    await db.account(accountId, (tx) =>
      tx
        .insertInto('accounts')
        .values({ id: accountId, name, email, ...stamps() })
        .execute(),
    );
    await server.setPassword(accountId, PASSWORD);
    await db.tenant(id, (tx) =>
      tx
        .insertInto('memberships')
        .values({ tenant_id: id, id: newId(), account_id: accountId, roles, ...stamps() })
        .execute(),
    );
    return signIn(accountId, email);
  };
  const scoped = async (scopes: string[], lockers: string[]) => {
    const somebody = await person([], 'Sam Scoped');
    const groupId = newId();
    await db.tenant(id, async (tx) => {
      await tx
        .insertInto('groups')
        .values({ tenant_id: id, id: groupId, name: `Group ${unique()}`, ...stamps() })
        .execute();
      await tx
        .insertInto('group_members')
        .values({ tenant_id: id, group_id: groupId, account_id: somebody.accountId, created_at: now().toISOString() })
        .execute();
      await tx
        .insertInto('permissions')
        .values({
          tenant_id: id,
          id: newId(),
          name: `Permission ${unique()}`,
          scopes: scopes as never,
          group_ids: [groupId],
          locker_ids: lockers,
          ...stamps(),
        })
        .execute();
    });
    return somebody.again();
  };
  return { id, person, scoped };
};

/** Until when a token holds (ms). */
export const endOf = (token: string): number =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }).exp * 1000;

/** Status and code of a call that must be refused; throws where it is not. */
export const refusal = async (call: Promise<unknown>): Promise<[number, string | undefined]> => {
  const error = await call.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return [error.status, error.problem?.code];
};
