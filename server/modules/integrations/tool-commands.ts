import type { Integration } from '@hatchway/contract/integrations.ts';
import { HOUR, later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Listing } from '../../db/tables/messages.ts';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../http/problem.ts';
import type { ToolPage, ToolSaid } from '../../providers/asset-tool.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';
import { lockIntegration, toIntegration } from './queries.ts';
import { hearRequests, noteClosed } from './request-commands.ts';
import { noteState } from './state-commands.ts';
import { hearAssets, noteGone } from './tool-asset-commands.ts';
import { connectedTools, toolOf, type OpenTool } from './tool-queries.ts';
import { tellAll } from './tool-telling-commands.ts';

/** So often a tool is asked what was changed: somebody waits for what was just requested. */
const EVERY = MINUTE;
/** And so often for all that it has: only that shows what is gone there. */
const WHOLE = HOUR;
/** A run ends before its job does; the rest is another one's. */
const AT_MOST_MS = 30_000;

export const toolSoon = (tx: Tx, deps: Deps, tenantId: string, integrationId: string): Promise<void> =>
  deps.jobs.enqueue(tx, { name: 'tool', tenantId, integrationId }, { key: integrationId });

/** A tool that was seen to work is asked when its time has come, also while it fails. */
export const askTools = (deps: Deps, { tenantId, now }: Scope): Promise<void> =>
  deps.db.tenant(tenantId, async (tx) => {
    const due = await connectedTools(tx, tenantId)
      .where((eb) => eb.or([eb('look_at', 'is', null), eb('look_at', '<=', now)]))
      .execute();
    for (const { id } of due) await toolSoon(tx, deps, tenantId, id);
  });

const noteTool = (deps: Deps, scope: Scope, { kind, integrationId: id }: Omit<OpenTool, 'tool'>, said: ToolSaid<unknown>) =>
  deps.db
    .tenant(scope.tenantId, async (tx) => {
      await noteState(tx, deps, scope, { kind, id }, { error: said.kind === 'ok' ? null : said.error, isHeard: true });
      const wait = said.kind === 'ok' ? 0 : (said.retryAfter ?? 0) * 1000;
      if (wait > EVERY) await lookAt(tx, scope, id, later(scope.now, wait));
    })
    .catch((error: unknown) => {
      // Disconnected meanwhile: there is nothing to note it on.
      if (!(error instanceof Problem && error.code === 'not-found')) throw error;
    });

const lookAt = (tx: Tx, { tenantId }: Scope, id: string, at: string) =>
  tx.updateTable('integrations').set({ look_at: at }).where('tenant_id', '=', tenantId).where('id', '=', id).execute();

const rowOf = (tx: Tx, tenantId: string, id: string) =>
  tx
    .selectFrom('integrations')
    .select(['id', 'kind', 'settings', 'secrets_sealed', 'state', 'synced_until', 'requests_until', 'whole_at', 'listing'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    // Whoever writes down what the tool is to be told points at it meanwhile.
    .forNoKeyUpdate()
    .executeTakeFirst();
const mustBeThere = async (tx: Tx, tenantId: string, id: string) => {
  const row = await rowOf(tx, tenantId, id);
  if (row === undefined) throw new Problem('not-found');
  return row;
};

type Begun = { open: OpenTool; listing: Listing };
const begin = async (tx: Tx, deps: Deps, scope: Scope, id: string, isWhole: boolean): Promise<Begun | null> => {
  const row = await rowOf(tx, scope.tenantId, id);
  const open = row === undefined || row.state === 'disabled' ? null : toolOf(deps, row);
  if (row === undefined || open === null) return null;
  await updateRow(tx, 'integrations', scope.tenantId, id)
    .set({ look_at: later(scope.now, EVERY), listing: null })
    .execute();
  const whole = isWhole || row.whole_at === null || Date.parse(row.whole_at) + WHOLE <= Date.parse(scope.now);
  const anew: Listing = { what: 'assets', isWhole: whole, began: scope.now, cursor: null, newest: null, isRead: true };
  return { open, listing: isWhole || row.listing === null ? anew : row.listing };
};

const newer = (a: string | null, b: string | null): string | null => (a === null || (b !== null && Date.parse(b) > Date.parse(a)) ? b : a);

type Hear<T> = (tx: Tx, scope: Scope, integrationId: string, told: readonly T[], began: string) => Promise<void>;

/** Writes down one page, and how far the listing is with it. Null: it is through. Throws `not-found` where it was disconnected meanwhile. */
const takePage = async (deps: Deps, scope: Scope, open: OpenTool, listing: Listing): Promise<ToolSaid<Listing | null>> => {
  const { integrationId: id, tool } = open;
  const { what, isWhole, cursor, began } = listing;
  const { tenantId } = scope;
  const row = await deps.db.tenant(tenantId, (tx) => mustBeThere(tx, tenantId, id));
  const known = what === 'assets' ? row.synced_until : row.requests_until;
  const asked = { cursor, since: isWhole ? null : known };

  const write = async <T extends { modifiedAt: string | null }>(
    said: ToolSaid<ToolPage<T>>,
    hear: Hear<T>,
  ): Promise<ToolSaid<Listing | null>> => {
    if (said.kind !== 'ok') return said;
    const { rows, next, unread } = said.value;
    const now = { ...scope, now: deps.now().toISOString() };
    const isRead = listing.isRead && unread === 0;
    let newest = listing.newest;
    for (const { modifiedAt } of rows) newest = newer(newest, modifiedAt);
    const after = nextOf({ ...listing, newest, isRead }, next, now.now);
    await deps.db.tenant(tenantId, async (tx) => {
      await mustBeThere(tx, tenantId, id);
      await hear(tx, now, id, rows, began);
      // What could not be read may be there all the same.
      if (next === null && isWhole && isRead) await (what === 'assets' ? noteGone : noteClosed)(tx, now, id, began);
      const until = what === 'assets' ? { synced_until: newer(known, newest) } : { requests_until: newer(known, newest) };
      if (next !== null) return;
      await updateRow(tx, 'integrations', tenantId, id)
        .set({ ...until, ...(after === null && isWhole ? { whole_at: now.now } : {}) })
        .execute();
    });
    return { kind: 'ok', value: after };
  };
  return what === 'assets' ? write(await tool.assets(asked), hearAssets) : write(await tool.requests(asked), hearRequests);
};

/** After the assets come the requests. */
const nextOf = (listing: Listing, cursor: string | null, now: string): Listing | null => {
  if (cursor !== null) return { ...listing, cursor };
  return listing.what === 'assets' ? { ...listing, what: 'requests', began: now, cursor: null, newest: null, isRead: true } : null;
};

/** Reads what was changed, or all. Where its time is over or the tool goes away, another run goes on from there. */
const readAll = async (deps: Deps, scope: Scope, { open, listing }: Begun): Promise<ToolSaid<boolean>> => {
  const until = performance.now() + AT_MOST_MS;
  let left: Listing | null = listing;
  while (left !== null) {
    if (performance.now() > until) {
      await putAside(deps, scope, open.integrationId, left);
      return { kind: 'ok', value: false };
    }
    const said: ToolSaid<Listing | null> = await takePage(deps, scope, open, left);
    if (said.kind === 'away' && left.cursor !== null) await putAside(deps, scope, open.integrationId, left);
    // A place in a listing that the tool does not know any more would be refused for ever: it is read anew.
    if (said.kind !== 'ok') return said;
    left = said.value;
  }
  return { kind: 'ok', value: true };
};
const putAside = (deps: Deps, { tenantId }: Scope, id: string, listing: Listing) =>
  deps.db.tenant(tenantId, (tx) =>
    updateRow(tx, 'integrations', tenantId, id)
      .set({ listing: jsonb(listing) })
      .execute(),
  );

/** Tells the tool what it is to be told, and brings what is known of it up to now. No transaction is open while it is asked; run twice, nothing is doubled. */
export const syncTool = async (deps: Deps, tenantId: string, integrationId: string, isWhole = false): Promise<void> => {
  const scope = systemScope(tenantId, deps.now().toISOString());
  const begun = await deps.db.tenant(tenantId, (tx) => begin(tx, deps, scope, integrationId, isWhole));
  if (begun === null) return;
  const told = await tellAll(deps, scope, begun.open);
  // What it did not answer may be one thing's; how it is with the tool itself, the reading says.
  const said = told.kind === 'away' || told.kind === 'keys' ? told : await readAll(deps, scope, begun).catch(ended);
  if (said === null) return;
  await noteTool(deps, { ...scope, now: deps.now().toISOString() }, begun.open, said);
  if (said.kind === 'ok' && !said.value) await deps.db.tenant(tenantId, (tx) => toolSoon(tx, deps, tenantId, integrationId));
  deps.outbox.wake();
};
const ended = (error: unknown): null => {
  if (error instanceof Problem && error.code === 'not-found') return null;
  throw error;
};

/** Asks the tool whether it takes the key, and then for all that it has. What is wrong stands in `lastError`. Throws `not-found`. */
export const testTool = async (deps: Deps, scope: Scope, kind: OpenTool['kind'], id: string): Promise<Integration> => {
  const { tenantId } = scope;
  const open = await deps.db.tenant(tenantId, async (tx) => toolOf(deps, await lockIntegration(tx, tenantId, kind, id)));
  const said: ToolSaid<null> =
    open === null ? { kind: 'keys', error: 'keys-missing', status: null, retryAfter: null } : await open.tool.test();
  await noteTool(deps, scope, { kind, integrationId: id }, said);
  if (said.kind === 'ok') await syncTool(deps, tenantId, id, true);
  return deps.db.tenant(tenantId, async (tx) => toIntegration(deps.seal, await lockIntegration(tx, tenantId, kind, id)));
};
