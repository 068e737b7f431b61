import type { Hand, Look } from './hand.ts';
import { throughSteps } from './service-steps.ts';
import type { Key } from './texts.ts';

/** Every address that a person can visit, for pictures and for axe. `{asset}` and the like are filled in with a row of the demo company. */
export type Screen = { name: string; path: string; /** Nobody is signed in. */ open?: true; looks?: readonly Look[] };

const portal = (name: string, path: string, ...looks: Look[]): Screen => ({ name, path: `/portal${path}`, looks });
/** A dialog, and what is pressed one after the other to open it. */
const dialog = (name: string, ...keys: Key[]): Look => ({
  name,
  over: true,
  go: async ({ press, page }) => {
    for (const key of keys) await press(key);
    await page.getByRole('dialog').filter({ visible: true }).last().waitFor();
  },
});
/** A dialog that asks on top of the drawer that it was opened from. */
const upon = (name: string, key: Key): Look => ({
  name,
  over: true,
  go: async ({ press, page }) => {
    await press(key);
    await page.getByRole('dialog').filter({ visible: true }).nth(1).waitFor();
  },
});
const look = (name: string, go: Look['go']): Look => ({ name, go });
const tickFirst = ({ page }: Hand) => page.locator('tr[data-row] input[type=checkbox]').first().check();
const door = (page: Hand['page'], at: number) => page.locator('[data-door]').nth(at).click();
/** On a phone a list's filters and tools lie folded. */
const unfold = async ({ page }: Hand) => {
  const folded = page.locator('main details:not([open]) > summary').filter({ visible: true });
  if ((await folded.count()) > 0) await folded.first().click();
};
/** The list of the first field that one chooses in, open: what is found for what is typed, the first of it marked, or the word that nothing is. */
const list = (name: string, typed = ''): Look =>
  look(name, async ({ page }) => {
    const field = page.locator('main input[role=combobox]').first();
    await field.click();
    await field.fill(typed);
    await page.getByRole('listbox').filter({ visible: true }).getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
  });
const phone = { width: 390, height: 844 };

/** Somebody whom nobody knows, each time another: the same one is soon let wait, and the page says that instead. */
const NOBODY = 'nobody-{any}@example.test';

/** On the sign-in service's pages and the sandbox's: what is sent as it stands, and what is then said about it. */
const sent = (name: string, fill: Record<string, string>, answer: string): Look =>
  look(name, async ({ page }) => {
    for (const [field, text] of Object.entries(fill))
      await page.locator(`[name=${field}]:not([type=hidden])`).fill(text.replace('{any}', crypto.randomUUID().slice(0, 8)));
    await page
      .locator('form')
      .filter({ has: page.locator('input:not([type=hidden])') })
      .locator('button')
      .first()
      .click();
    await page.locator(answer).first().waitFor();
  });
const open = (name: string, path: string, ...looks: Look[]): Screen => ({ name, path, open: true, looks });
const identity = '/realms/pml';

export const screens: Screen[] = [
  portal(
    'dashboard',
    '/',
    look('profile-menu', async ({ page }) => page.locator('[aria-controls=profile-menu]').click()),
    {
      name: 'palette',
      over: true,
      go: async ({ page, press }) => {
        await page.keyboard.press('Escape');
        await press('frame.palette.open');
        await page.getByRole('dialog').getByRole('textbox').fill('Ingrid');
        await page.getByRole('dialog').getByRole('button').first().waitFor();
      },
    },
    look('mobile-menu', async ({ page, press }) => {
      await page.setViewportSize(phone);
      await press('frame.menu');
    }),
  ),
  portal('dash', '/dash'),
  portal('manage', '/manage'),
  portal(
    'assets',
    '/manage/assets',
    dialog('asset-new', 'assets.make'),
    dialog('assets-import', 'assets.import.button'),
    look('assets-chosen', tickFirst),
    dialog('assets-label', 'assets.bulk.label'),
    look('assets-columns', async (hand) => {
      await unfold(hand);
      await hand.press('table.columns');
    }),
  ),
  portal(
    'asset',
    '/manage/assets/{asset}',
    list('asset-groups-list'),
    dialog('asset-print', 'assets.print'),
    dialog('asset-delete', 'assets.deleteThis'),
  ),
  portal('asset-of-tool', '/manage/assets/{toolAsset}'),
  portal(
    'occupations',
    '/manage/occupations',
    look('occupations-chosen', tickFirst),
    dialog('occupations-end', 'manage.occupations.terminate'),
  ),
  portal('occupations-board', '/manage/occupations?look=board'),
  portal('links', '/manage/links', dialog('link-new', 'links.make')),
  // what is asked stands in the place of the dialog that it came from, which is back when it closes
  portal(
    'link',
    '/manage/links?link={accessLink}',
    look('link-change', ({ press }) => press('links.change')),
  ),
  portal(
    'link-withdrawn',
    '/manage/links?link={accessLink}',
    look('link-revoke', ({ press }) => press('links.revoke')),
  ),
  portal('payments', '/manage/payments', dialog('payments-books', 'books.action')),
  portal('payment', '/manage/payments?payment={payment}', dialog('payment-details', 'payments.details.change')),
  portal('payment-captured', '/manage/payments?payment={captured}', upon('payment-refund', 'payments.move.refund.action')),
  portal('payment-reserved', '/manage/payments?payment={reserved}', upon('payment-cancel', 'payments.move.cancel.action')),
  portal('payment-by-hand', '/manage/payments?payment={reserved}', upon('payment-capture', 'payments.move.capture.action')),
  portal(
    'lockers',
    '/manage/lockers',
    dialog('site-new', 'builder.addSite'),
    dialog('site-delete', 'builder.deleteSite'),
    dialog('cabinet-new', 'builder.addCabinetAt'),
  ),
  portal(
    'builder',
    '/manage/lockers?cabinet={cabinet}',
    look('builder-door', ({ page }) => door(page, 0)),
    look('builder-column', ({ page }) => page.locator('[data-handle]').first().click()),
    look('builder-unsaved', ({ press }) => press('builder.addDoor')),
    dialog('builder-save', 'builder.save'),
    dialog('builder-leave', 'builder.all'),
    look('builder-undone', ({ press }) => press('builder.undo')),
    {
      ...dialog('builder-numbers', 'builder.numbering'),
      go: async ({ press, choose }) => {
        await press('builder.numbering');
        await choose('builder.orderRows');
      },
    },
    dialog('builder-templates', 'builder.useTemplate'),
    dialog('builder-details', 'builder.more', 'builder.details'),
    dialog('builder-delete', 'builder.more', 'builder.deleteThis'),
    dialog('builder-pair', 'builder.pairAnew', 'builder.pair'),
    look('builder-more', ({ press }) => press('builder.more')),
  ),
  portal('builder-labels', '/manage/lockers?cabinet={cabinet}&view=labels'),
  portal('doubt', '/manage/lockers?view=doubt'),
  portal('doubt-check', '/manage/lockers?view=check'),
  portal(
    'delivery',
    '/services/delivery',
    ...throughSteps('delivery').flatMap((step) => (step.name === 'delivery-receiver' ? [step, list('delivery-known', 'Ingrid')] : [step])),
  ),
  portal('storage', '/services/storage'),
  portal('lending', '/services/lending', ...throughSteps('lending')),
  portal('consumable', '/services/consumable', ...throughSteps('consumable')),
  portal('sale', '/services/sale', ...throughSteps('sale')),
  portal('recall', '/services/recall', ...throughSteps('recall')),
  portal('drop-off', '/services/drop-off', ...throughSteps('drop-off')),
  portal('selfservice', '/services/selfservice', ...throughSteps('selfservice')),
  portal(
    'lock-control',
    '/services/lock-control',
    look('lock-door', ({ page }) => door(page, 0)),
    dialog('lock-out', 'lockers.takeOut'),
    look('lock-several', ({ page }) => door(page, 1)),
    look('lock-list', ({ choose }) => choose('lockers.view.list')),
  ),
  portal(
    'storefront',
    '/services/storefront',
    dialog('storefront-refill', 'storefront.refill'),
    dialog('payment-take', 'payments.take.sell'),
  ),
  portal('manage-occupation', '/services/manageoccupation'),
  portal(
    'manage-one',
    '/services/manageoccupation?id={current}',
    dialog('manage-correct', 'occupations.manage.action.correct'),
    dialog('manage-extend', 'occupations.manage.action.extend'),
    dialog('manage-retrieve', 'occupations.manage.action.retrieve'),
  ),
  portal('manage-lendable', '/services/manageoccupation?id={lendable}', dialog('manage-lend', 'occupations.manage.action.lend')),
  portal(
    'manage-lent',
    '/services/manageoccupation?id={lent}',
    dialog('manage-take-back', 'occupations.manage.action.takeBack'),
    dialog('manage-due', 'occupations.manage.action.extendLoan'),
  ),
  portal(
    'manage-stock',
    '/services/manageoccupation?id={stock}',
    dialog('manage-refill', 'occupations.manage.action.refill'),
    dialog('manage-pieces', 'occupations.manage.action.takePieces'),
  ),
  portal('manage-goods', '/services/manageoccupation?id={goods}', dialog('manage-sell', 'occupations.manage.action.sell')),
  portal('manage-taken-out', '/services/manageoccupation?id={takenOut}', dialog('manage-move', 'occupations.manage.action.move')),
  portal(
    'users',
    '/iam/users',
    dialog('user-invite', 'members.invite'),
    dialog('user-roles', 'members.rolesOf'),
    dialog('user-remove', 'members.removeThis'),
  ),
  portal('invitations', '/iam/users?tab=invitations', dialog('invitation-withdraw', 'members.withdrawThis')),
  portal(
    'groups',
    '/iam/groups',
    dialog('group-new', 'groups.make'),
    dialog('group', 'groups.change'),
    dialog('group-delete', 'groups.delete'),
  ),
  portal(
    'asset-groups',
    '/iam/assetgroups',
    dialog('asset-group-new', 'assetGroups.make'),
    dialog('asset-group', 'assetGroups.change'),
    dialog('asset-group-delete', 'assetGroups.delete'),
  ),
  portal('admin', '/admin'),
  portal('admin-settings', '/admin?section=settings'),
  portal(
    'admin-alerts',
    '/admin?section=alerts',
    look('alert-new', ({ press }) => press('admin.addAlert')),
  ),
  portal('admin-labels', '/admin?section=labels', dialog('label-new', 'admin.makeLabel'), dialog('label-delete', 'admin.deleteLabel')),
  portal('admin-system', '/admin?section=system'),
  portal('api-keys', '/admin/api', dialog('api-key-new', 'keys.make'), dialog('api-key-revoke', 'keys.revokeThis')),
  portal('admin-policies', '/admin?section=policies', dialog('policy-new', 'policies.make'), dialog('policy-delete', 'policies.delete')),
  portal('admin-templates', '/admin?section=templates'),
  portal(
    'admin-webhooks',
    '/admin?section=webhooks',
    dialog('webhook-new', 'webhooks.make'),
    dialog('webhook-delete', 'webhooks.deleteThis'),
  ),
  portal('permissions', '/admin/permissions', dialog('permission-new', 'permissions.make')),
  portal(
    'permissions-list',
    '/admin/permissions?view=list',
    dialog('permission', 'permissions.change'),
    dialog('permission-withdraw', 'permissions.withdrawThis'),
  ),
  portal(
    'permissions-locker',
    '/admin/permissions?view=locker',
    list('permissions-locker-list'),
    list('permissions-locker-none', 'nothing of that name'),
  ),
  portal('permissions-person', '/admin/permissions?view=person'),
  portal('integrations', '/admin?section=integrations'),
  portal('vipps', '/integration/vipps'),
  portal('entra', '/integration/entraid'),
  portal('scim', '/integration/scim'),
  portal('scim-groups', '/integration/scim?tab=groups'),
  portal(
    'history',
    '/history',
    look('history-day', async (hand) => {
      await unfold(hand);
      await hand.page.locator('.mantine-DateInput-input').first().click();
    }),
  ),
  portal('timeline', '/history/occupation/{occupation}'),
  portal('token', '/token'),
  portal('profile', '/profile'),
  portal('settings', '/settings'),
  portal('forbidden', '/forbidden'),
  portal('not-found', '/404'),
  { name: 'security', path: `${identity}/account/security`, looks: [sent('security-empty', {}, '.wrong')] },
  { name: 'second-factor', path: `${identity}/account/second-factor`, looks: [sent('second-factor-empty', {}, '.wrong')] },
  // asks; nobody is signed out by looking
  { name: 'sign-out', path: `${identity}/protocol/openid-connect/logout` },
  open(
    'sign-in',
    '/portal/',
    sent('sign-in-empty', {}, '.wrong'),
    sent('sign-in-refused', { login: NOBODY, password: 'not-this-one' }, '.fault'),
  ),
  open(
    'forgotten-password',
    `${identity}/forgotten`,
    sent('forgotten-empty', {}, '.wrong'),
    sent('forgotten-sent', { login: NOBODY }, '.note'),
  ),
  open('password-link-dead', `${identity}/password/no-such-link`),
  open('invitation', '{invitation}', sent('invitation-empty', {}, '.wrong')),
  open('invitation-dead', `${identity}/invitations/no-such-invitation`),
  open('not-signed-in', `${identity}/account/security`),
  open('sign-in-failed', `${identity}/protocol/openid-connect/auth`),
  open('signed-out', `${identity}/protocol/openid-connect/logout/success`),
  open('identity-not-found', `${identity}/nothing-here`),
  open('pickup', '/'),
  open('pickup-not-valid', '/p/no-such-link'),
  open('pickup-not-found', '/nothing/here'),
  open('pickup-link', '{link}'),
  open('pickup-access-link', '{accessAddress}'),
  open('pickup-cabinet', '/c/101'),
  open('shop', '/shop/{shop}'),
  open('shop-good', '/shop/{shop}/{good}'),
  open('purchase', '/b/{purchase}'),
  open('api-reference', '/v1/docs'),
  // before the cabinets, which differ in what follows the # alone
  open('sandbox-pairing', '/sandbox/cabinets#pair=ABCD-2345&name=North+wall', sent('sandbox-pairing-refused', {}, '.failure:not(:empty)')),
  open('sandbox', '/sandbox/'),
  open(
    'sandbox-cabinets',
    '/sandbox/cabinets{virtual}',
    look('sandbox-door', ({ page }) => door(page, 0)),
    look('sandbox-plug-in', ({ page }) => page.locator('summary').first().click()),
  ),
  open('sandbox-inbox', '/sandbox/inbox{inbox}'),
  open(
    'sandbox-vipps',
    '/sandbox/vipps',
    look('sandbox-vipps-payment', ({ page }) => page.locator('summary').first().click()),
    look('sandbox-vipps-faults', ({ page }) => page.locator('.faults summary').click()),
  ),
  open(
    'sandbox-vipps-pay',
    '/sandbox/vipps/pay{asked}',
    look('sandbox-vipps-declined', ({ page }) => page.locator('.acts button').nth(2).click()),
  ),
  open(
    'sandbox-woo',
    '/sandbox/woo',
    look('sandbox-woo-order', ({ page }) => page.locator('.orders summary').first().click()),
    look('sandbox-woo-faults', ({ page }) => page.locator('.faults summary').click()),
  ),
  open(
    'sandbox-directory',
    '/sandbox/directory',
    look('sandbox-directory-person', ({ page }) => page.locator('.sides summary').first().click()),
    look('sandbox-directory-faults', ({ page }) => page.locator('.faults summary').click()),
  ),
  open(
    'sandbox-assets',
    '/sandbox/assets',
    look('sandbox-assets-asset', ({ page }) => page.locator('.mail summary').first().click()),
    look('sandbox-assets-faults', ({ page }) => page.locator('.faults summary').click()),
  ),
];

/** Addresses with their rows filled in; a screen whose row does not exist is left out by its caller, by name. */
export const fillIn = (path: string, rows: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const row = rows[name];
    if (row === undefined) throw new Error(`no row is known for ${whole} in ${path}`);
    return row;
  });

/** Whatever was on its way is there: no bone of a skeleton left, nor the end-user site's word for one; the type is the page's own. */
async function settle({ page }: Hand): Promise<void> {
  await page.locator('[data-skeleton], .mantine-Skeleton-root, output.loading').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => true)');
}

/** Looks at a screen that is open, and at all that opens on it, one after the other. */
export async function lookThrough(screen: Screen, hand: Hand, take: (name: string) => Promise<void>): Promise<void> {
  const { page, close } = hand;
  const size = page.viewportSize();
  await settle(hand);
  await take(screen.name);
  for (const { name, go, over } of screen.looks ?? []) {
    await go(hand);
    await settle(hand);
    await take(name);
    if (over) await close();
  }
  if (size) await page.setViewportSize(size);
}
