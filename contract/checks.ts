/**
 * Input checks with the words of the specification's section 5, from one place: the client runs them before a call,
 * the server puts the same words into the `detail` of its 400. No schema library here: this file reaches the front ends.
 */
type Input = { params?: Record<string, unknown>; body?: unknown };
type Check = (input: Input) => string | null;

export const missing = (name: string): string => `Missing / Format issue of ${name}`;

const given = (value: unknown): value is string => typeof value === 'string' && value !== '';

const field =
  (name: string, words: string): Check =>
  (input) =>
    given(bodyOf(input)[name]) ? null : words;
/** A string, be it empty. */
const string =
  (name: string): Check =>
  (input) =>
    typeof bodyOf(input)[name] === 'string' ? null : missing(name);
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
  // Spaces alone reach nobody.
  return [email, tlf].some((way) => given(way) && way.trim() !== '') ? null : 'Email and/or tlf is required';
};

/** What the specification calls the argument that stands at the end of each of these paths. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  '/companies/{tenant}/invitations/{id}': 'invitationId',
  '/companies/{tenant}/memberships/{membershipId}': 'membershipId',
  '/types/{kind}': 'kind',
  '/lockers/{id}': 'lockerID',
  '/assets/{id}': 'assetID',
  '/assets/{_id}': 'assetID',
  '/policies/{id}': 'policyId',
  '/policies/{_id}': 'policyId',
  '/policies/{ref}': 'ref',
  '/groups/{id}': 'groupId',
  '/groups/{id}/members/{userId}': 'userId',
  '/asset-groups/{id}': 'assetGroupId',
  '/permissions/{id}': 'permissionId',
};

/** The parameters of a path that the specification names, in their order, each with its name there. */
export const argumentsOf = (path: string): { param: string; argument: string }[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(({ 0: whole, 1: param = '', index }) => {
    const argument = ARGUMENTS[path.slice(0, index + whole.length)];
    return argument === undefined ? [] : [{ param, argument }];
  });

/** Calls whose body is the argument `data`: without one nothing is sent. */
const DATA = /^(POST|PUT) \/(assets|policies|groups|asset-groups|permissions|integrations\/\{kind\})(\/\{_?id\})?$/;

const group = [field('name', missing('name'))];
const assetGroup = [field('name', missing('name')), string('description')];
const permission = [field('name', missing('name')), list('scopes'), list('groups'), list('lockers')];
const BODIES: Readonly<Record<string, readonly Check[]>> = {
  'POST /companies/{tenant}/invitations': [contactWay],
  'POST /occupations': [field('type', 'Missing / Format issue of "type" element')],
  'POST /assets': [assetData],
  'PUT /assets/{_id}': [assetData],
  'POST /integrations/entra': [field('tid', missing('tid'))],
  'POST /groups': group,
  'PUT /groups/{id}': group,
  'POST /asset-groups': assetGroup,
  'PUT /asset-groups/{id}': assetGroup,
  'POST /permissions': permission,
  'PUT /permissions/{id}': permission,
};

/** The first word of section 5 that this input breaks, or null. */
export const inputIssue = (call: string, input: Input): string | null => {
  for (const { param, argument } of argumentsOf(call.slice(call.indexOf(' ') + 1))) {
    if (!given(input.params?.[param])) return missing(argument);
  }
  if (call === 'PUT /integrations/{kind}/{_id}' && !given(input.params?.['_id'])) return 'Missing object ID';
  if (input.body === undefined ? DATA.test(call) : !isObject(input.body)) return missing('data');
  for (const check of BODIES[call] ?? []) {
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
