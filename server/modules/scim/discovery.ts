import { noResource } from './errors.ts';
import { listOf, MAX_COUNT } from './paging.ts';
import { SCHEMAS, type Kind } from './schemas.ts';
import { isObject } from './resource.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const KINDS: readonly Kind[] = ['User', 'Group'];

/** What these addresses answer, RFC 7643, sections 5 to 7. */
export const serviceProviderConfig = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: base.replace(/\/scim\/v2$/, '/v1/docs'),
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer',
      description: 'The bearer that an administrator made in the portal',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const resourceType = (base: string, kind: Kind) => ({
  schemas: [`${CORE}:ResourceType`],
  id: kind,
  name: kind,
  endpoint: `/${kind}s`,
  description: SCHEMAS[kind].description,
  schema: SCHEMAS[kind].id,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${kind}` },
});
const schema = (base: string, kind: Kind) => ({
  schemas: [`${CORE}:Schema`],
  ...SCHEMAS[kind],
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${SCHEMAS[kind].id}` },
});

const list = (resources: ReturnType<typeof resourceType>[] | ReturnType<typeof schema>[]) =>
  listOf({ startIndex: 1 }, resources.length, resources);
export const resourceTypes = (base: string) => list(KINDS.map((kind) => resourceType(base, kind)));
export const schemas = (base: string) => list(KINDS.map((kind) => schema(base, kind)));

export const oneResourceType = (base: string, id: string) => {
  const kind = KINDS.find((one) => one.toLowerCase() === id.toLowerCase());
  if (!kind) throw noResource(id);
  return resourceType(base, kind);
};
export const oneSchema = (base: string, id: string) => {
  const kind = KINDS.find((one) => SCHEMAS[one].id.toLowerCase() === id.toLowerCase());
  if (!kind) throw noResource(id);
  return schema(base, kind);
};

export const isFiltered = (query: unknown): boolean => isObject(query) && query['filter'] !== undefined;
