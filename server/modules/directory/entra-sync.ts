import { setTimeout as wait } from 'node:timers/promises';
import type { Entra } from '@hatchway/contract/entra.ts';
import { later, MINUTE, SECOND } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import type { Changes, EntraSaid } from '../../providers/entra.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';
import { AWAY, takeGroups, takeUsers, readAll, type Round } from './entra-rounds.ts';
import { entraOf, entraRow, lockEntra } from './entra-queries.ts';

/** Whoever reads says so again at each page; who was killed keeps nobody out for longer. */
const BUSY = 2 * MINUTE;
/** Who presses a button waits so long for whoever reads already: what changed a moment ago may be past what they read. */
const PATIENCE = 15 * SECOND;
const LOOK = 200;

export const entraSoon = (tx: Tx, deps: Deps, tenantId: string): Promise<void> =>
  deps.jobs.enqueue(tx, { name: 'entra', tenantId }, { key: tenantId });

/** A connected directory is asked when its time has come, also while it fails. */
export const askEntra = (deps: Deps, { tenantId, now }: Scope): Promise<void> =>
  deps.db.tenant(tenantId, async (tx) => {
    const due = await tx
      .selectFrom('integrations')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('directory_tid', 'is not', null)
      .where((eb) => eb.or([eb('look_at', 'is', null), eb('look_at', '<=', now)]))
      .executeTakeFirst();
    if (due) await entraSoon(tx, deps, tenantId);
  });

type Begun = { id: string; tid: string; usersLink: string | null; groupsLink: string | null };
/** Null: none is connected, or somebody reads it now. Then its turn comes again when they are done. */
const begin = async (tx: Tx, deps: Deps, { tenantId }: Scope): Promise<Begun | null> => {
  const now = deps.now().toISOString();
  const row = await tx
    .updateTable('integrations')
    .set({ busy_until: later(now, BUSY), look_at: later(now, deps.pace.directoryMs) })
    .where('tenant_id', '=', tenantId)
    .where('directory_tid', 'is not', null)
    .where((eb) => eb.or([eb('busy_until', 'is', null), eb('busy_until', '<=', now)]))
    .returning(['id', 'directory_tid', 'users_link', 'groups_link'])
    .executeTakeFirst();
  return row?.directory_tid ? { id: row.id, tid: row.directory_tid, usersLink: row.users_link, groupsLink: row.groups_link } : null;
};

/** Ours, as soon as whoever reads now is done. */
const turnOf = async (deps: Deps, scope: Scope, patience: number): Promise<Begun | null> => {
  for (let left = patience; ; left -= LOOK) {
    const begun = await deps.db.tenant(scope.tenantId, (tx) => begin(tx, deps, scope));
    if (begun !== null || left <= 0) return begun;
    await wait(LOOK);
  }
};

type Seen = { error: string | null; lookAt?: string };
/** How it went. Let go of meanwhile, or another one is connected: there is nothing to note it on. */
const noteEntra = (deps: Deps, scope: Scope, { id, tid }: Begun, { error, lookAt }: Seen): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const row = await lockEntra(tx, scope.tenantId);
    if (row?.id !== id || row.directory_tid !== tid) return;
    const state = error === null ? 'active' : 'failing';
    const now = deps.now().toISOString();
    const next = lookAt ?? later(now, deps.pace.directoryMs);
    await updateRow(tx, 'integrations', scope.tenantId, id)
      .set({
        busy_until: null,
        ...(row.state === state ? {} : { state, updated_at: now }),
        last_error: error,
        ...(error === null ? { last_sync_at: now } : {}),
        look_at: next,
      })
      .execute();
    // Each round asks for the one after it; the sweep takes up one that was lost.
    await deps.jobs.enqueue(tx, { name: 'entra', tenantId: scope.tenantId }, { at: next, key: `${scope.tenantId}:next` });
    if (row.state !== state || row.last_error !== error || row.last_sync_at === null)
      await record(tx, scope, [], [{ kind: 'integrations', id, method: 'PUT' }]);
  });

/** Where the next round begins; not where the directory was let go of meanwhile. */
const keepLink = async (
  deps: Deps,
  { tenantId }: Scope,
  { id, tid }: Begun,
  link: { users_link: string } | { groups_link: string },
): Promise<void> => {
  await deps.db.tenant(tenantId, (tx) => updateRow(tx, 'integrations', tenantId, id).set(link).where('directory_tid', '=', tid).execute());
};

/** Still the one who reads, and still the same directory. */
const goOn =
  (deps: Deps, { tenantId }: Scope, { id, tid }: Begun) =>
  async (): Promise<boolean> => {
    const row = await deps.db.tenant(tenantId, (tx) =>
      updateRow(tx, 'integrations', tenantId, id)
        .set({ busy_until: later(deps.now().toISOString(), BUSY) })
        .where('directory_tid', '=', tid)
        .returning('id')
        .executeTakeFirst(),
    );
    return row !== undefined;
  };

/** All changes since that link; what the directory no longer knows is read anew, from the beginning. */
const roundOf = async <T>(
  link: string | null,
  read: (link: string | null) => Promise<EntraSaid<Changes<T>>>,
  isOn: () => Promise<boolean>,
): Promise<EntraSaid<Round<T>>> => {
  const said = await readAll(link, read, isOn);
  return said.kind === 'gone' && link !== null ? readAll(null, read, isOn) : said;
};

/**
 * Brings people and groups up to now, people first: who is gone is out also while groups cannot be read. Of both, what came is carried
 * out only once all pages have come, and the link for the next round is kept only once all of it was read and carried out: cut off anywhere,
 * the next run begins where this one did. Run twice, nothing is doubled.
 */
export const syncEntra = async (deps: Deps, tenantId: string, isPatient = false): Promise<void> => {
  const scope = systemScope(tenantId, deps.now().toISOString());
  const { entra } = deps;
  if (entra === null) return;
  const begun = await turnOf(deps, scope, isPatient ? PATIENCE : 0);
  if (begun === null) return;
  const reader = entra.reader(begun.tid);
  const isOn = goOn(deps, scope, begun);
  const fail = (said: Exclude<EntraSaid<unknown>, { kind: 'ok' }>): Promise<void> => {
    const error = said.kind === 'gone' ? 'not-understood' : said.error;
    const seconds = said.kind === 'away' ? said.afterS : null;
    return noteEntra(deps, scope, begun, {
      error,
      ...(seconds === null ? {} : { lookAt: later(deps.now().toISOString(), seconds * SECOND) }),
    });
  };
  const users = await roundOf(begun.usersLink, reader.users, isOn);
  if (users.kind !== 'ok') return fail(users);
  if (!(await takeUsers(deps, scope, users.value, isOn))) return fail(AWAY);
  if (!users.value.unread) await keepLink(deps, scope, begun, { users_link: users.value.done });
  const groups = await roundOf(begun.groupsLink, reader.groups, isOn);
  if (groups.kind !== 'ok') return fail(groups);
  if (!(await takeGroups(deps, scope, groups.value, isOn))) return fail(AWAY);
  if (!groups.value.unread) await keepLink(deps, scope, begun, { groups_link: groups.value.done });
  if (users.value.unread || groups.value.unread) return fail(AWAY);
  await noteEntra(deps, scope, begun, { error: null });
  deps.outbox.wake();
};

const connected = async (deps: Deps, { tenantId }: Scope): Promise<Begun> => {
  const row = await deps.db.tenant(tenantId, (tx) => entraRow(tx, tenantId));
  if (!row?.directory_tid || deps.entra === null) throw new Problem('not-connected', 'No directory is connected');
  return { id: row.id, tid: row.directory_tid, usersLink: null, groupsLink: null };
};
const seen = (deps: Deps, { tenantId }: Scope): Promise<Entra> => deps.db.tenant(tenantId, (tx) => entraOf(tx, deps, tenantId));

/** Asks whether we are let in, and then all that was changed. What is wrong stands in `lastError`. Throws `not-connected`. */
export const testEntra = async (deps: Deps, scope: Scope): Promise<Entra> => {
  const begun = await connected(deps, scope);
  const said = await deps.entra?.reader(begun.tid).organization();
  if (said?.kind === 'ok') await syncEntra(deps, scope.tenantId, true);
  else if (said) await noteEntra(deps, scope, begun, { error: said.kind === 'gone' ? 'not-understood' : said.error });
  deps.outbox.wake();
  return seen(deps, scope);
};

/** Throws `not-connected`. */
export const syncEntraNow = async (deps: Deps, scope: Scope): Promise<Entra> => {
  await connected(deps, scope);
  await syncEntra(deps, scope.tenantId, true);
  return seen(deps, scope);
};
