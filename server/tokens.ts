import { randomBytes } from 'node:crypto';
import type { Seal } from './seal.ts';

/** The tenant (16 bytes) and 128 random bits, base64url: 43 characters. Which company it is of is read off it before any row is. */
export const newToken = (tenantId: string): string =>
  Buffer.concat([Buffer.from(tenantId.replaceAll('-', ''), 'hex'), randomBytes(16)]).toString('base64url');

/** The company that a token names; null for what is no token. Only its hash in that company tells whether it opens anything. */
export const tenantOfToken = (token: string): string | null => {
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const hex = Buffer.from(token, 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
};

type Sealing = { seal: Seal };
export const hashToken = ({ seal }: Sealing, token: string): Buffer => seal.hash(`token:${token}`);
/** Six digits are the same in many companies: the tenant keeps their hashes apart. */
export const hashCode = ({ seal }: Sealing, tenantId: string, code: string): Buffer => seal.hash(`code:${tenantId}:${code}`);
