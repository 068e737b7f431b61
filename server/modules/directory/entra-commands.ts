import { randomBytes } from 'node:crypto';
import type { Entra } from '@hatchway/contract/entra.ts';
import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { ConsentFault } from '@hatchway/domain/entra.ts';
import { INTEGRATIONS } from '@hatchway/domain/integration.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record, type Change } from '../../events/record.ts';
import { problemOf } from '../../http/errors.ts';
import { absent, mustBeSeen } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Entra as EntraClient, SignedIn } from '../../providers/entra.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow, updateRow } from '../../rows.ts';
import { hashToken, newToken } from '../../tokens.ts';
import { inDirectory } from './commands.ts';
import { entraOf, lockEntra } from './entra-queries.ts';
import { entraSoon } from './entra-sync.ts';
import { releaseDirectory } from './people-commands.ts';

/** As long as an administrator takes to sign in and read. */
const HOLDS = 10 * MINUTE;

/** What an approval is held against as it comes back: who began it, and which step they are at. */
type Grant = { by: string; tid: string; nonce?: string; verifier?: string };
type Answer = { url: string | null; fault: ConsentFault | null };
const failed = (fault: ConsentFault): Answer => ({ url: null, fault });

/** Registered with the application, letter by letter (docs/operations.md). */
const redirectUri = ({ config }: Deps): string => `${config.publicUrl}/portal/integration/entraid`;
const told = (id: string, method: Change['method']): Change[] => [{ kind: 'integrations', id, method }];
/** A key acts for itself, and not for whoever made it. */
const whoOf = ({ actor }: Scope): string => `${actor.kind}:${actor.id ?? ''}`;

/** Another one takes the place of what was asked before. */
const writeGrant = async (tx: Tx, deps: Deps, { tenantId, now }: Scope, id: string, grant: Grant): Promise<string> => {
  const state = newToken(tenantId);
  await updateRow(tx, 'integrations', tenantId, id)
    .set({
      grant_hash: hashToken(deps, state),
      grant_until: later(now, HOLDS),
      grant_sealed: deps.seal.close(JSON.stringify(grant)),
    })
    .execute();
  return state;
};

/**
 * Names the directory, also in another's place, and asks its administrator. One that is connected stays so until another was shown.
 * `version` 0 says that none was seen there. Throws `stale`.
 */
export const nameDirectory = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  { tid, version }: { tid: string; version?: number | undefined },
): Promise<Entra> => {
  const { tenantId } = scope;
  const row = await lockEntra(tx, tenantId);
  mustBeSeen({ version: row?.version ?? 0 }, version);
  const id = row?.id ?? newId();
  const settings = jsonb({ tid });
  if (!row) await insertRow(tx, 'integrations', scope, id, { type: INTEGRATIONS.entra.type, kind: 'entra', settings }).execute();
  else if (row.directory_tid === null)
    await changeRow(tx, 'integrations', scope, id, { settings, state: 'unverified', last_error: null }).execute();
  await record(tx, scope, [], told(id, row ? 'PUT' : 'POST'));
  if (deps.entra === null) return entraOf(tx, deps, tenantId);
  const state = await writeGrant(tx, deps, scope, id, { by: whoOf(scope), tid });
  return entraOf(tx, deps, tenantId, deps.entra.consentAddress(tid, { redirectUri: redirectUri(deps), state }));
};

/** Uses it up, whatever comes of it. Null: there is none, its time is over, or somebody else began it. */
const useGrant = async (tx: Tx, deps: Deps, scope: Scope, state: string): Promise<(Grant & { id: string }) | null> => {
  const row = await lockEntra(tx, scope.tenantId);
  if (!row?.grant_hash?.equals(hashToken(deps, state)) || !row.grant_until || row.grant_until <= scope.now) return null;
  const plain = row.grant_sealed === null ? null : deps.seal.open(row.grant_sealed);
  const grant = plain === null ? null : (JSON.parse(plain) as Grant);
  if (grant?.by !== whoOf(scope)) return null;
  await updateRow(tx, 'integrations', scope.tenantId, row.id).set({ grant_hash: null, grant_until: null, grant_sealed: null }).execute();
  return { ...grant, id: row.id };
};

const GUID = /^[0-9a-f-]{36}$/i;

/** After the consent: anybody can write such an answer, so nothing is believed of it, and whoever consented shows who they are. */
const askWho = async (tx: Tx, deps: Deps, entra: EntraClient, scope: Scope, { id, by, tid }: Grant & { id: string }): Promise<string> => {
  const begun = { by, tid, nonce: randomBytes(16).toString('base64url'), verifier: randomBytes(48).toString('base64url') };
  const state = await writeGrant(tx, deps, scope, id, begun);
  return entra.signInAddress(tid, { ...begun, redirectUri: redirectUri(deps), state });
};

/** Throws where who called may not choose the directory, now that nobody else changes members. */
type StillMay = (tx: Tx) => Promise<void>;

/** The directory that the administrator was seen to administer is the company's from now on. False: it was let go of meanwhile. */
const keep = (deps: Deps, scope: Scope, id: string, { tid }: SignedIn, stillMay: StillMay): Promise<boolean> =>
  inDirectory(deps, scope, async (run) => {
    const { tx } = run;
    await stillMay(tx);
    const row = await lockEntra(tx, scope.tenantId);
    if (row?.id !== id) return false;
    if (row.directory_tid !== null && row.directory_tid !== tid) await releaseDirectory(run, 'entra');
    await changeRow(tx, 'integrations', scope, id, {
      directory_tid: tid,
      settings: jsonb({ tid }),
      state: 'active',
      last_error: null,
      ...(row.directory_tid === tid ? {} : { users_link: null, groups_link: null, last_sync_at: null }),
      look_at: null,
    }).execute();
    await record(tx, scope, [], told(id, 'PUT'));
    await entraSoon(tx, deps, scope.tenantId);
    return true;
  });

/**
 * Goes on with what came back by the browser of whoever began. A consent leads to a sign-in; a sign-in connects the directory that its
 * verified token names, where that person administers it. Nobody is asked while a transaction is open.
 */
export const goOnConsent = async (
  deps: Deps,
  scope: Scope,
  { state, code, error }: { state: string; code?: string | undefined; error?: string | undefined },
  stillMay: StillMay,
): Promise<Answer> => {
  const { entra } = deps;
  if (entra === null) return failed('expired');
  const next = await deps.db.tenant(scope.tenantId, async (tx) => {
    const grant = await useGrant(tx, deps, scope, state);
    if (grant === null) return { fault: 'expired' as const };
    if (error !== undefined && error !== '') return { fault: 'denied' as const };
    return grant.nonce === undefined ? { url: await askWho(tx, deps, entra, scope, grant) } : { grant };
  });
  if ('fault' in next) return failed(next.fault);
  if ('url' in next) return { url: next.url, fault: null };
  const { id, tid, nonce = '', verifier = '' } = next.grant;
  if (code === undefined || code === '') return failed('denied');
  const said = await entra.signedIn(tid, code, { redirectUri: redirectUri(deps), nonce, verifier });
  if (said.kind !== 'ok') return failed(said.kind === 'away' ? 'away' : 'token-refused');
  if (GUID.test(tid) && tid.toLowerCase() !== said.value.tid) return failed('other-directory');
  if (!said.value.isAdmin) return failed('not-admin');
  const isKept = await keep(deps, scope, id, said.value, stillMay).catch((thrown: unknown) => {
    if (problemOf(thrown).code === 'name-taken') return 'taken' as const;
    throw thrown;
  });
  return isKept === 'taken' ? failed('taken') : isKept ? { url: null, fault: null } : failed('expired');
};

/** Lets go: what the directory gave ends, and nobody signs in by it any more. Throws `not-found` where none is named. */
export const dropDirectory = (deps: Deps, scope: Scope): Promise<void> =>
  inDirectory(deps, scope, async (run) => {
    const row = await lockEntra(run.tx, scope.tenantId);
    if (!row) throw absent();
    await releaseDirectory(run, 'entra');
    await run.tx.deleteFrom('integrations').where('tenant_id', '=', scope.tenantId).where('id', '=', row.id).execute();
    await record(run.tx, scope, [], told(row.id, 'DELETE'));
  });
