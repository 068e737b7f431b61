/** Every address that a person can visit, for pictures and for axe. `{asset}` and the like are filled in with a row of the demo company. */
export type Screen = { name: string; path: string; /** Nobody is signed in. */ open?: true };

const portal = (name: string, path: string): Screen => ({ name, path: `/portal${path}` });

export const screens: Screen[] = [
  portal('dashboard', '/'),
  portal('manage', '/manage'),
  portal('assets', '/manage/assets'),
  portal('asset', '/manage/assets/{asset}'),
  portal('occupations', '/manage/occupations'),
  portal('links', '/manage/links'),
  portal('payments', '/manage/payments'),
  portal('payment', '/manage/payments?payment={payment}'),
  portal('lockers', '/manage/lockers'),
  portal('delivery', '/services/delivery'),
  portal('storage', '/services/storage'),
  portal('lending', '/services/lending'),
  portal('consumable', '/services/consumable'),
  portal('sale', '/services/sale'),
  portal('recall', '/services/recall'),
  portal('drop-off', '/services/drop-off'),
  portal('selfservice', '/services/selfservice'),
  portal('lock-control', '/services/lock-control'),
  portal('storefront', '/services/storefront'),
  portal('manage-occupation', '/services/manageoccupation'),
  portal('users', '/iam/users'),
  portal('groups', '/iam/groups'),
  portal('asset-groups', '/iam/assetgroups'),
  portal('admin', '/admin'),
  portal('api-keys', '/admin/api'),
  portal('admin-policies', '/admin?section=policies'),
  portal('admin-templates', '/admin?section=templates'),
  portal('admin-webhooks', '/admin?section=webhooks'),
  portal('permissions', '/admin/permissions'),
  portal('integrations', '/admin?section=integrations'),
  portal('permissions-list', '/admin/permissions?view=list'),
  portal('permissions-locker', '/admin/permissions?view=locker'),
  portal('vipps', '/integration/vipps'),
  portal('entra', '/integration/entraid'),
  portal('history', '/history'),
  portal('timeline', '/history/occupation/{occupation}'),
  portal('token', '/token'),
  portal('profile', '/profile'),
  portal('settings', '/settings'),
  portal('forbidden', '/forbidden'),
  portal('not-found', '/404'),
  { name: 'sign-in', path: '/portal/', open: true },
  { name: 'forgotten-password', path: '/realms/pml/forgotten', open: true },
  { name: 'pickup', path: '/', open: true },
  { name: 'pickup-not-valid', path: '/p/no-such-link', open: true },
  { name: 'pickup-not-found', path: '/nothing/here', open: true },
  { name: 'pickup-link', path: '{link}', open: true },
  { name: 'pickup-cabinet', path: '/c/101', open: true },
  { name: 'api-reference', path: '/v1/docs', open: true },
  { name: 'sandbox', path: '/sandbox/', open: true },
  { name: 'sandbox-cabinets', path: '/sandbox/cabinets', open: true },
  { name: 'sandbox-inbox', path: '/sandbox/inbox', open: true },
];

/** Addresses with their rows filled in; a screen whose row does not exist is left out by its caller, by name. */
export const fillIn = (path: string, rows: Record<string, string>): string | null => {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => rows[name] ?? whole);
  return filled.includes('{') ? null : filled;
};
