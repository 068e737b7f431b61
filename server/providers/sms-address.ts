import { isIP } from 'node:net';
import { isLoopback } from '../outside/addresses.ts';

type Login = { base: string; user: string; password: string };
/** Of its delivery reports, where they come to one address for all: what nobody can guess in it. Null: none are taken. */
type Reports = { reports: string | null };

/** Which gateway, and how it is reached: all that an operator says in one address. */
export type SmsAddress =
  | { wire: 'http'; url: URL }
  | ({ wire: 'sveve' } & Login & Reports)
  | ({ wire: 'link'; platform: string; partner: string; gate: string | null } & Login & Reports)
  | ({ wire: 'twilio'; service: string | null } & Login);

const SHORTEST = 24;
const isHere = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || (isIP(bare) !== 0 && isLoopback(bare));
};

/** What an address says, or what is wrong with it, in words that hold nothing of its login. */
export const readSmsAddress = (text: string): SmsAddress | string => {
  const url = URL.parse(text);
  if (url === null) return 'is no address that can be read: scheme://user:password@host';
  const { protocol, searchParams: query } = url;
  if (protocol === 'http:' || protocol === 'https:') return { wire: 'http', url };
  if (!/^(sveve|link|twilio):$/.test(protocol)) return 'must begin with https://, sveve://, link:// or twilio://';
  let user: string, password: string;
  try {
    [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  } catch {
    return 'has a login that cannot be read: a % in it is written %25';
  }
  if (user === '' || password === '' || url.hostname === '') return `needs a login: ${protocol}//user:password@host`;
  // Without TLS nowhere but to this machine, which production refuses (outside/fetch.ts).
  const base = `${isHere(url.hostname) ? 'http' : 'https'}://${url.host}${url.pathname.replace(/\/+$/, '')}`;
  const reports = query.get('reports');
  if (reports !== null && !/^[A-Za-z0-9_-]+$/.test(reports))
    return 'has a secret for reports with more in it than letters, digits, - and _';
  if (reports !== null && reports.length < SHORTEST) return `has a secret for reports of less than ${SHORTEST} characters`;
  const known = { sveve: ['reports'], link: ['reports', 'platform', 'partner', 'gate'], twilio: ['service'] };
  const wire = protocol.slice(0, -1) as keyof typeof known;
  const foreign = [...query.keys()].find((key) => !known[wire].includes(key));
  if (foreign !== undefined) return `says ${foreign}, which ${wire}:// does not know`;
  const login = { base, user, password };
  if (wire === 'sveve') return { wire, ...login, reports };
  if (wire === 'twilio')
    return /^AC[0-9a-f]{32}$/i.test(user)
      ? { wire, ...login, service: query.get('service') }
      : 'needs the Account SID as its user: twilio://AC…:token@api.twilio.com';
  const [platform, partner, gate] = [query.get('platform'), query.get('partner'), query.get('gate')];
  if (!platform || !partner) return 'needs ?platform=…&partner=…, as LINK Mobility gave them';
  if ((gate === null) !== (reports === null)) return 'needs gate and reports both, or neither: LINK Mobility reports by a gate of its own';
  return { wire, ...login, platform, partner, gate, reports };
};
