/** SCIM by hand: what a client would refuse to send goes out here. */
export type Told = { status: number; headers: Headers; body: Record<string, unknown>; text: string };
export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Told>;

export const scimClient =
  (url: string, bearer: string | null): Ask =>
  async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  };

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const patchOf = (...Operations: unknown[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });
