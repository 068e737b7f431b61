import { randomBytes } from 'node:crypto';

/** Why the provider does not do what it was asked; `code` as its page of errors lists them, `fields` where the body is malformed. */
export type Refusal = { refused: number; title: string; detail: string; code?: string; fields?: { name: string; reason: string }[] };

export const refuse = (refused: number, code: string, title: string, detail = title): Refusal => ({ refused, title, detail, code });
export const malformed = (...fields: { name: string; reason: string }[]): Refusal => ({
  refused: 400,
  title: 'Bad Request',
  detail: 'See extraDetails for further details',
  fields,
});
export const isRefusal = (value: object): value is Refusal => 'refused' in value;

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** As the provider's own services answer: RFC 7807, with the domain's code among the extra details. */
export const problemOf = ({ refused, title, detail, code, fields }: Refusal, instance: string): Record<string, unknown> => ({
  type: `https://httpstatuses.io/${refused}`,
  title,
  status: refused,
  detail,
  instance,
  traceId: `00-${hex(16)}-${hex(8)}-01`,
  extraDetails: [...(fields ?? []), ...(code === undefined ? [] : [{ name: 'ErrorCode', reason: code }])],
});

/** As the gateway before them answers: 401, 404, 429 and 503 never reach a service. */
export const gatewayOf = (statusCode: number, message: string): Record<string, unknown> => ({ statusCode, message });

/** As Microsoft Entra answers, which gives the tokens. */
export const entraOf = (error: string, code: number, words: string, now: number): Record<string, unknown> => ({
  error,
  error_description: `AADSTS${code}: ${words}`,
  error_codes: [code],
  timestamp: `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}Z`,
  trace_id: crypto.randomUUID(),
  correlation_id: crypto.randomUUID(),
  error_uri: `https://login.microsoftonline.com/error?code=${code}`,
});
