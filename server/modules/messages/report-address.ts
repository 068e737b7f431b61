import type { Deps } from '../../deps.ts';
import type { Wire } from '../../providers/sms.ts';

export type Told = { tenantId: string; messageId: string };
type Secrets = Pick<Deps, 'seal'>;

/** Each wire has addresses of its own: what one may say unsigned, another must sign. */
export const macOf = ({ seal }: Secrets, { tenantId, messageId }: Told, wire: 'http' | 'twilio'): Buffer =>
  seal.hash(wire === 'http' ? `sms-report:${tenantId}:${messageId}` : `sms-report:${wire}:${tenantId}:${messageId}`);

/** Where the fate of this one message is told. The address is a secret: gateways sign each in a way of their own, or not at all. */
export const reportUrlOf = (deps: Secrets & Pick<Deps, 'config'>, told: Told, wire: Wire): string => {
  const own = wire === 'twilio' ? 'twilio' : 'http';
  const key = `${told.tenantId}.${told.messageId}.${macOf(deps, told, own).toString('base64url')}`;
  return `${deps.config.publicUrl}/hooks/sms/${own === 'http' ? '' : `${own}/`}${key}`;
};

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
/** Of the company so many bytes as fit: Sveve's reference has 36 characters. Nobody makes two companies that are alike in 88 bits. */
const OF_COMPANY = 11;

/** What a gateway repeats in its reports, where they all come to one address: which message of which company. */
export const refOf = ({ tenantId, messageId }: Told): string =>
  Buffer.concat([bytesOf(messageId), bytesOf(tenantId).subarray(0, OF_COMPANY)]).toString('base64url');

/** The message, and between which ids its company's is; null for a reference that is none of ours. */
export const readRef = (ref: string): { messageId: string; company: { from: string; to: string } } | null => {
  if (!/^[A-Za-z0-9_-]{36}$/.test(ref)) return null;
  const hex = Buffer.from(ref, 'base64url').toString('hex');
  const company = hex.slice(32);
  const filled = (digit: string) => uuidOf(company.padEnd(32, digit));
  return { messageId: uuidOf(hex.slice(0, 32)), company: { from: filled('0'), to: filled('f') } };
};
