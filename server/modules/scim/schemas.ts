/** An attribute as RFC 7643, section 7, describes it. */
export type Attribute = {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime';
  description: string;
  multiValued: boolean;
  required: boolean;
  caseExact: boolean;
  mutability: 'readOnly' | 'readWrite' | 'immutable';
  returned: 'always' | 'default';
  uniqueness: 'none' | 'server';
  referenceTypes?: readonly string[];
  canonicalValues?: readonly string[];
  subAttributes?: readonly Attribute[];
};
export type Schema = { id: string; name: string; description: string; attributes: readonly Attribute[] };
export type Kind = 'User' | 'Group';

const attribute = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const readOnly = { mutability: 'readOnly' } as const;

const several = (name: string, description: string, of: string, kinds: readonly string[]): Attribute =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', of),
      attribute('display', 'A name for people'),
      attribute('type', 'What it is for', { canonicalValues: kinds }),
      attribute('primary', 'The one that is meant where only one can be', { type: 'boolean' }),
    ],
  });

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** What is kept of people, and no more: what nothing here reads is not asked for. */
const USER: Schema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'A person who belongs to the company',
  attributes: [
    attribute('userName', 'The name that the directory knows them by, unique in the company', { required: true, uniqueness: 'server' }),
    attribute('name', 'The parts of their name', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The whole name'),
        attribute('familyName', 'Family name'),
        attribute('givenName', 'Given name'),
        attribute('middleName', 'Middle name'),
        attribute('honorificPrefix', 'What stands before the name'),
        attribute('honorificSuffix', 'What stands behind the name'),
      ],
    }),
    attribute('displayName', 'The name that others see'),
    attribute('title', 'Their job'),
    attribute('preferredLanguage', 'The language that they read'),
    attribute('locale', 'How they write numbers and dates'),
    attribute('active', 'Whether they may come in', { type: 'boolean' }),
    several('emails', 'E-mail addresses', 'An e-mail address', ['work', 'home', 'other']),
    several('phoneNumbers', 'Telephone numbers', 'A telephone number', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    attribute('groups', 'The groups that they are in', {
      type: 'complex',
      multiValued: true,
      ...readOnly,
      subAttributes: [
        attribute('value', 'The id of the group', readOnly),
        attribute('$ref', 'The address of the group', { type: 'reference', referenceTypes: ['Group'], ...readOnly }),
        attribute('display', 'The name of the group', readOnly),
        attribute('type', 'Whether they are in it themselves', { canonicalValues: ['direct'], ...readOnly }),
      ],
    }),
  ],
};

const GROUP: Schema = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'People who are named together',
  attributes: [
    attribute('displayName', 'Its name, unique in the company', { required: true, uniqueness: 'server' }),
    attribute('members', 'Who is in it', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the member', { mutability: 'immutable' }),
        attribute('$ref', 'The address of the member', { type: 'reference', referenceTypes: ['User', 'Group'], mutability: 'immutable' }),
        attribute('type', 'What the member is', { canonicalValues: ['User', 'Group'], mutability: 'immutable' }),
      ],
    }),
  ],
};

/** RFC 7643, section 3.1: every resource has them, and no schema lists them. */
const COMMON: readonly Attribute[] = [
  attribute('schemas', 'The schemas of the resource', {
    type: 'reference',
    multiValued: true,
    returned: 'always',
    caseExact: true,
    ...readOnly,
  }),
  attribute('id', 'Its id here', { returned: 'always', caseExact: true, ...readOnly }),
  attribute('externalId', 'Its id there', { caseExact: true }),
  attribute('meta', 'What is known of the resource itself', {
    type: 'complex',
    ...readOnly,
    subAttributes: [
      attribute('resourceType', 'User or Group', { caseExact: true, ...readOnly }),
      attribute('created', 'When it was made', { type: 'dateTime', ...readOnly }),
      attribute('lastModified', 'When it was changed last', { type: 'dateTime', ...readOnly }),
      attribute('location', 'Its address', { type: 'reference', caseExact: true, ...readOnly }),
      attribute('version', 'Which state of it this is', { caseExact: true, ...readOnly }),
    ],
  }),
];

export const SCHEMAS: Readonly<Record<Kind, Schema>> = { User: USER, Group: GROUP };
export const ATTRIBUTES: Readonly<Record<Kind, readonly Attribute[]>> = {
  User: [...COMMON, ...USER.attributes],
  Group: [...COMMON, ...GROUP.attributes],
};

export const named = (attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined =>
  attributes?.find((one) => one.name.toLowerCase() === name.toLowerCase());

/**
 * Of RFC 7643 and kept by nothing here. Directories send them, since everybody’s default mapping has them, and take a refusal for a failure:
 * they are heard and left out, as are all of another schema.
 */
const UNKEPT = /^(nickName|profileUrl|userType|timezone|password|ims|photos|addresses|entitlements|roles|x509Certificates|description)$/i;
export const isUnkept = (path: { schema: string | null; attr: string }): boolean =>
  UNKEPT.test(path.attr) ||
  (path.schema !== null && ![USER_SCHEMA, GROUP_SCHEMA].some((id) => id.toLowerCase() === path.schema?.toLowerCase()));
