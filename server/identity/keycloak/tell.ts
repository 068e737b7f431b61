import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '../../part.ts';
import { startRelay } from '../../events/relay.ts';
import type { Log } from '../options.ts';
import type { TextSeal } from '../seal.ts';
import type { InIdentity } from '../tables.ts';
import { KeycloakAway, KeycloakRefused, type Admin, type KeycloakUser, type UserChange } from './admin.ts';
import { finish, postpone, take, type Taken } from './people.ts';
import { mergedWith, mintOf, userOf } from './wanted.ts';

type Parts = { run: InIdentity; admin: Admin; seal: TextSeal; now: () => Date; log: Log; part: Part };

const AT_ONCE = 4;
const PATIENCE_MS = 8_000;
const LOOK_MS = 50;

/**
 * Tells Keycloak of people, each as the database has them when they are told of: done twice it changes nothing, and what was asked in the
 * meantime is told next. One person is told of by one process at a time, so nothing older overtakes what is newer.
 */
export function startTelling({ run, admin, seal, now, log, part }: Parts) {
  /**
   * Who they are in Keycloak. Somebody whom its administrators made with the same address is the same person where that address was proved
   * there and here; by a name alone nobody is.
   */
  const find = async (taken: Taken, user: UserChange): Promise<KeycloakUser | null> => {
    const known = (taken.subject === null ? null : await admin.byId(taken.subject)) ?? (await admin.byAccount(taken.account_id));
    if (known || user.email === '') return known;
    const namesake = await admin.byEmail(user.email);
    if (namesake === null) return null;
    if (namesake.attributes['account_id']?.[0] !== undefined) throw new KeycloakRefused(409, 'the address is another account’s there');
    if (!user.emailVerified)
      throw new KeycloakRefused(409, 'somebody has the address there, and here a directory alone says it: nobody proved it');
    if (!namesake.emailVerified) throw new KeycloakRefused(409, 'somebody has the address there, and did not verify it');
    return namesake;
  };

  const put = async (taken: Taken, user: UserChange): Promise<string> => {
    const known = await find(taken, user);
    if (known === null) return admin.create(user);
    await admin.update(known.id, mergedWith(known, user));
    return known.id;
  };

  /** A password that the realm's policy refuses is none: they ask Keycloak for another. */
  const carryPassword = async (subject: string, sealed: string): Promise<void> => {
    const password = seal.open(sealed);
    // Who has one there already keeps it: the invitation's proves an address, not that it is theirs to change.
    if (password === null || (await admin.hasPassword(subject))) return;
    try {
      await admin.setPassword(subject, password);
    } catch (error) {
      if (!(error instanceof KeycloakRefused)) throw error;
      log.warn({ subject, reason: error.message }, 'Keycloak refused a password: its owner must ask for a new one');
    }
  };

  const tell = async (taken: Taken): Promise<boolean> => {
    try {
      const mint = await run((tx) => mintOf(tx, taken));
      if (mint === null) return true;
      const user = userOf(mint);
      const told = JSON.stringify(user);
      const isNew = taken.subject === null || taken.told !== told;
      const subject = isNew ? await put(taken, user) : (taken.subject ?? '');
      if (taken.password !== null) await carryPassword(subject, taken.password);
      if (taken.log_out || mint.hasLeft) await admin.logOut(subject);
      part.regain();
      await run((tx) => finish(tx, taken, { subject, told, toldId: mint.company?.tenantId ?? null }, now()));
      return true;
    } catch (error) {
      if (error instanceof KeycloakAway) part.lose(error.message);
      const known = error instanceof KeycloakAway || error instanceof KeycloakRefused;
      const why = known ? error.message : 'a defect on our side: the log says more';
      if (error instanceof KeycloakRefused) log.warn({ accountId: taken.account_id, reason: why }, 'Keycloak refused a person');
      else if (!known) log.error({ err: error, accountId: taken.account_id }, 'a person could not be told of');
      await run((tx) => postpone(tx, taken, why, now()));
      return false;
    }
  };

  // While it is away one asks for all the others.
  const atOnce = () => (part.away ? 1 : AT_ONCE);
  const relay = startRelay(
    async () => {
      const most = atOnce();
      const due = await run((tx) => take(tx, now(), most));
      const told = await Promise.all(due.map(tell));
      return due.length === most && told.every(Boolean);
    },
    (error) => log.error({ err: error }, 'people could not be told of'),
  );

  return {
    wake: () => void relay.wake(),
    /** Told now, or in time by whoever is telling already; false where it was not. */
    now: async (accountId: string): Promise<boolean> => {
      const until = performance.now() + PATIENCE_MS;
      while (performance.now() < until) {
        const [taken] = await run((tx) => take(tx, now(), 1, accountId));
        if (taken) {
          if (!(await tell(taken))) return false;
          continue;
        }
        const waits = await run((tx) =>
          tx
            .selectFrom('identity_people')
            .select('account_id')
            .where('account_id', '=', accountId)
            .whereRef('asked', '>', 'done')
            .executeTakeFirst(),
        );
        if (!waits) return true;
        await sleep(LOOK_MS);
      }
      return false;
    },
    stop: () => relay.stop(),
  };
}

export type Telling = ReturnType<typeof startTelling>;
