/**
 * Input checks with the words of the specification's section 5, from one place: the client runs them before a call,
 * the server puts the same words into the `detail` of its 400. No schema library here: this file reaches the front ends.
 */
type Input = { params?: Record<string, unknown>; body?: unknown };
type Check = (input: Input) => string | null;

export const missing = (name: string): string => `Missing / Format issue of ${name}`;

const param =
  (name: string, argument: string): Check =>
  (input) => {
    const value = input.params?.[name];
    return typeof value === 'string' && value !== '' ? null : missing(argument);
  };
const field =
  (name: string, words: string): Check =>
  (input) => {
    const value = bodyOf(input)[name];
    return typeof value === 'string' && value !== '' ? null : words;
  };
const list =
  (name: string): Check =>
  (input) =>
    Array.isArray(bodyOf(input)[name]) ? null : missing(name);
const bodyOf = (input: Input): Record<string, unknown> =>
  typeof input.body === 'object' && input.body !== null ? (input.body as Record<string, unknown>) : {};
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const assetData: Check = (input) => {
  const { data } = bodyOf(input);
  return data === undefined || isObject(data) ? null : 'Asset data is not an object';
};
const contactWay: Check = (input) => {
  const { email, tlf } = bodyOf(input);
  return email || tlf ? null : 'Email and/or tlf is required';
};

const objectId: Check = (input) => (typeof input.params?.['_id'] === 'string' && input.params['_id'] !== '' ? null : 'Missing object ID');

const CHECKS: Record<string, readonly Check[]> = {
  'GET /companies/{tenant}/invitations/{id}': [param('id', 'invitationId')],
  'DELETE /companies/{tenant}/invitations/{id}': [param('id', 'invitationId')],
  'POST /companies/{tenant}/invitations/{id}/resend': [param('id', 'invitationId')],
  'DELETE /companies/{tenant}/memberships/{membershipId}': [param('membershipId', 'membershipId')],
  'PUT /companies/{tenant}/memberships/{membershipId}': [param('membershipId', 'membershipId')],
  'POST /companies/{tenant}/invitations': [contactWay],
  'GET /types/{kind}': [param('kind', 'kind')],
  'POST /occupations': [field('type', 'Missing / Format issue of "type" element')],
  'GET /lockers/{id}': [param('id', 'lockerID')],
  'PUT /lockers/{id}': [param('id', 'lockerID')],
  'DELETE /lockers/{id}': [param('id', 'lockerID')],
  'POST /lockers/{id}/open': [param('id', 'lockerID')],
  'PUT /lockers/{id}/lock': [param('id', 'lockerID')],
  'PUT /lockers/{id}/service': [param('id', 'lockerID')],
  'PUT /lockers/{id}/content': [param('id', 'lockerID')],
  'GET /assets/{id}': [param('id', 'assetID')],
  'GET /assets/{id}/image': [param('id', 'assetID')],
  'DELETE /assets/{id}': [param('id', 'assetID')],
  'DELETE /assets/{id}/image': [param('id', 'assetID')],
  'GET /assets/{id}/loans': [param('id', 'assetID')],
  'PUT /assets/{_id}': [param('_id', 'assetID'), assetData],
  'POST /assets': [assetData],
  'GET /policies/{id}': [param('id', 'policyId')],
  'GET /policies/{ref}/login_hint': [param('ref', 'ref')],
  'PUT /policies/{_id}': [param('_id', 'policyId')],
  'DELETE /policies/{_id}': [param('_id', 'policyId')],
  'POST /integrations/entra': [field('tid', missing('tid'))],
  'PUT /integrations/{kind}/{_id}': [objectId],
  'POST /groups': [field('name', missing('name'))],
  'GET /groups/{id}': [param('id', 'groupId')],
  'PUT /groups/{id}': [param('id', 'groupId')],
  'DELETE /groups/{id}': [param('id', 'groupId')],
  'GET /groups/{id}/members': [param('id', 'groupId')],
  'POST /groups/{id}/members/{userId}': [param('id', 'groupId'), param('userId', 'userId')],
  'DELETE /groups/{id}/members/{userId}': [param('id', 'groupId'), param('userId', 'userId')],
  'POST /asset-groups': [field('name', missing('name')), field('description', missing('description'))],
  'PUT /asset-groups/{id}': [param('id', 'assetGroupId')],
  'DELETE /asset-groups/{id}': [param('id', 'assetGroupId')],
  'POST /permissions': [field('name', missing('name')), list('scopes'), list('groups'), list('lockers')],
  'GET /permissions/{id}': [param('id', 'permissionId')],
  'PUT /permissions/{id}': [param('id', 'permissionId')],
  'DELETE /permissions/{id}': [param('id', 'permissionId')],
};

/** The first word of section 5 that this input breaks, or null. */
export const inputIssue = (call: string, input: Input): string | null => {
  if (input.body !== undefined && !isObject(input.body)) return missing('data');
  for (const check of CHECKS[call] ?? []) {
    const words = check(input);
    if (words) return words;
  }
  return null;
};

/** Throws Error with the word of section 5 that the input breaks. */
export const checkInput = (call: string, input: Input): void => {
  const words = inputIssue(call, input);
  if (words) throw new Error(words);
};
