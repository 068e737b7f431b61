import { command } from '../command.ts';
import type { Walk } from './choose.ts';

const LOOK_BACK = 40;

/**
 * Which browser tests show a noun, where their names do not begin with it: names of files in e2e/journeys (without .spec.ts) and of screens in
 * dev/screens.ts, or the first words of such names. A noun is a folder of portal/features, server/modules, pickup or sandbox, or a file
 * of domain or contract.
 */
export const SHOWN_BY: Readonly<Record<string, string>> = {
  access: 'roles permissions',
  'access-link': 'links',
  account: 'session sign-in profile settings security second-factor',
  accounts: 'users session',
  'api-key': 'keys',
  app: 'frame session outside',
  cabinets: 'builder pairing many-cabinets sandbox',
  companies: 'admin users rules',
  dashboard: 'screens frame zones',
  demo: 'demo',
  devices: 'pairing doors jammed',
  doors: 'doors lock-control jammed sensed-nothing take-out',
  exports: 'assets manage',
  frame: 'frame screens take-out dialogs',
  history: 'manage zones screens timeline',
  identity: 'sign-in session users invitation password signed-out',
  inbox: 'demo sandbox',
  integration: 'admin vipps entra integrations',
  integrations: 'admin vipps entra asset-tool',
  keys: 'api-keys',
  layout: 'builder',
  lockers: 'lock-control doors counter doubt',
  members: 'users roles invitations',
  messages: 'delivery counter recall outside',
  occupations:
    'delivery storage lending consumable sale recall drop-off selfservice counter take-out move resumed sensed-nothing jammed manage plans',
  pages: 'frame forbidden not-found',
  payment: 'payments sale shop',
  payments: 'payments shop ledger paid vipps',
  db: 'plans indexes backup',
  provider: 'shop payments',
  permissions: 'roles',
  pickup: 'outside borrow delivery drop-off storage links shop',
  policies: 'rules admin-policies',
  policy: 'rules',
  sandbox: 'demo sandbox pairing',
  shop: 'shop sale',
  storefront: 'sale consumable shop',
  system: 'api-reference admin-system',
  table: 'manage assets long-words',
  templates: 'admin-templates rules',
  vipps: 'sandbox vipps shop',
  woo: 'sandbox integrations',
  directory: 'sandbox directory',
  ui: 'dialogs screens long-words take-out',
  wall: 'lock-control builder many-cabinets',
};

/** Folders whose parts are nouns, and files that are one. */
const NOUNS = [
  /^portal\/(?:features|ui)\/([^/.]+)\//,
  /^portal\/(ui|frame|app)\//,
  /^portal\/i18n\/\w+\/([^/]+)\.ts$/,
  /^portal\/routes\/(?:\w+\/)*([a-z][\w-]*)/,
  /^server\/modules\/([^/.]+)\//,
  /^server\/(identity|devices|db)\//,
  /^(pickup|sandbox)\//,
  /^sandbox\/([^/.]+)\//,
  /^dev\/(demo)\//,
  /^(?:domain|contract)\/(?:test\/)?([^/.]+)\./,
  /^(?:e2e\/(?:journeys|screens)|dev\/wire)\/([^/.]+)\./,
];

/** What the tests of a changed file are called, or begin with. */
export const namesFor = (path: string): string[] =>
  NOUNS.flatMap((pattern) => {
    const noun = pattern.exec(path)?.[1];
    if (noun === undefined) return [];
    return [noun, noun.replace(/ie?s$|s$/, (end) => (end === 'ies' ? 'y' : '')), ...(SHOWN_BY[noun]?.split(' ') ?? [])];
  });

/** Journeys and tests of a wire are called by their file, screens by their title. */
const callsOf = ({ file, title }: Walk): string[] => [
  file.replace(/^.*\//, '').replace(/\..*$/, ''),
  title.replace(/^.* › /, '').replace(/[ ,].*$/, ''),
];
const begins = (call: string, name: string): boolean => call === name || call.startsWith(`${name}-`);

/**
 * How many commits ago a test's noun was touched, by the files of each commit, the newest first; half a commit less where its own file was.
 */
export const ageBy = (commits: readonly (readonly string[])[]): ((walk: Walk) => number | undefined) => {
  const names = commits.map((files) => new Set(files.flatMap(namesFor)));
  return (walk) => {
    const calls = callsOf(walk);
    const age = names.findIndex((some) => [...some].some((name) => calls.some((call) => begins(call, name))));
    const own = commits.findIndex((files) => files.some((file) => file === walk.file || file === `e2e/${walk.file}`));
    const ages = [...(age < 0 ? [] : [age]), ...(own < 0 ? [] : [own - 0.5])];
    return ages.length === 0 ? undefined : Math.min(...ages);
  };
};

/**
 * The number that turns the wheel, and the files of the last commits, the newest first. A shallow clone does not know how many commits
 * there are: the hash of its own stands in for it. Outside a git checkout the number is 0, which is said.
 */
export async function readCommits(): Promise<{ count: number; files: string[][] }> {
  const git = async (...args: string[]) => {
    const { code, output } = await command('git', args, { quiet: true });
    return code === 0 ? output : '';
  };
  const [hash, isShallow, count, log] = await Promise.all([
    git('rev-parse', 'HEAD'),
    git('rev-parse', '--is-shallow-repository'),
    git('rev-list', '--count', 'HEAD'),
    git('log', `-${LOOK_BACK}`, '--name-only', '--no-renames', '--format=%x00'),
  ]);
  const files = log
    .split('\0')
    .slice(1)
    .map((part) => part.split('\n').filter((line) => line !== ''));
  if (hash === '') console.warn('git knows no commit here: the tests of turn 0 run, and nothing counts as touched.');
  return { count: isShallow.trim() === 'true' ? Number.parseInt(hash.slice(0, 8), 16) : Number(count.trim()) || 0, files };
}
