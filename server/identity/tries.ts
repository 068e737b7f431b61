import crypto from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../http/network.ts';
import { isSame } from '../seal.ts';
import { countAttempt, forgetAttempts, LIMITS, returnAttempt, type Limit } from './limits.ts';
import type { TextSeal } from './seal.ts';
import type { IdentityTx, InIdentity } from './tables.ts';

/** Seconds that a browser stays known after its last right password: a season without signing in. */
const KNOWN_FOR = 90 * 86_400;
const DEVICE = /^[\w-]{22}$/;
const KNOWN = 'HATCHWAY_KNOWN_';
/** Names that one browser stays known under, the latest: at a counter many sign in, and all of it is sent with every call. */
const KNOWN_MOST = 20;

type Counted = [Limit, string][];

/**
 * Tries at a name's password, and asking for a new one. Whoever knows the name may use up what its network has, and what all strange
 * networks have together, and still keeps nobody out who got in before: a browser that typed the right password, or came by a link
 * that was sent to the name, is known by a cookie and counted by itself. Names that no account has are counted alike, so nothing tells.
 */
export function createTries(run: InIdentity, seal: TextSeal, now: () => Date, secure: boolean) {
  const cookieOf = (login: string) => `${KNOWN}${seal.hash(`known:${login}`).slice(0, 16)}`;
  const proofOf = (login: string, device: string) => seal.hash(`known:${device}:${login}`);

  const cookiesOf = (request: FastifyRequest): (readonly [name: string, value: string])[] =>
    (request.headers.cookie ?? '').split(/;\s*/).map((one) => {
      const [name = '', value = ''] = one.split(/=(.*)/);
      return [name, value];
    });

  /** What this browser was called when it became known under this name; null for a stranger, or a forged cookie. */
  const deviceOf = (request: FastifyRequest, login: string): string | null => {
    const wanted = cookieOf(login);
    const value = cookiesOf(request).find(([name]) => name === wanted)?.[1] ?? '';
    const [device = '', proof = ''] = value.split('.');
    if (!DEVICE.test(device)) return null;
    return isSame(proofOf(login, device), proof) ? device : null;
  };

  const countedAt = (request: FastifyRequest, login: string, kind: 'signIn' | 'reset'): Counted => {
    const device = deviceOf(request, login);
    if (device) return [[LIMITS[kind].one, `${login} ${device}`]];
    const network = networkOf(request.ip);
    return [
      [LIMITS[kind].one, `${login} ${network}`],
      [LIMITS[kind].network, network],
      [LIMITS[kind].strangers, login],
    ];
  };

  return {
    /** Counts a try at this name's password, before it is looked at. Gives the minutes to wait, or null. */
    password: (request: FastifyRequest, login: string) => countAttempt(run, now(), countedAt(request, login, 'signIn')),

    /** Counts asking for a link to a new password. Gives the minutes to wait, or null. */
    link: (request: FastifyRequest, login: string) => countAttempt(run, now(), countedAt(request, login, 'reset')),

    /** The password was right: here it begins anew, and for others it was no try. This browser is known under the name from now on. */
    async right(request: FastifyRequest, reply: FastifyReply, login: string): Promise<void> {
      const [own, ...shared] = countedAt(request, login, 'signIn');
      await run(async (tx: IdentityTx) => {
        if (own) await forgetAttempts(tx, ...own);
        for (const one of shared) await returnAttempt(tx, now(), ...one);
      });
      this.know(request, reply, [login]);
    },

    /** This browser is known under these names from now on, and under the latest of those before. */
    know(request: FastifyRequest, reply: FastifyReply, logins: readonly string[]): void {
      const set = (cookie: string, until: string) =>
        reply.header('set-cookie', `${cookie}; Path=/realms; ${until}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`);
      const names = logins.map(cookieOf);
      const since = ([, value]: readonly [string, string]) => Number(value.split('.')[2] ?? 0);
      const others = cookiesOf(request).filter(([name]) => name.startsWith(KNOWN) && !names.includes(name));
      const tooMany = others.toSorted((one, other) => since(other) - since(one)).slice(KNOWN_MOST - names.length);
      for (const [name] of tooMany) set(`${name}=`, 'Expires=Thu, 01 Jan 1970 00:00:00 GMT');
      for (const login of logins) {
        const device = crypto.randomBytes(16).toString('base64url');
        set(`${cookieOf(login)}=${device}.${proofOf(login, device)}.${now().getTime()}`, `Max-Age=${KNOWN_FOR}`);
      }
    },
  };
}

export type Tries = ReturnType<typeof createTries>;
