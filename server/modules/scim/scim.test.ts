import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { GROUP, patchOf, scimClient, USER, type Ask, type Told } from './test-client.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let scim: Ask;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin']);
  scim = scimClient(server.url, (await admin.api('POST /directory/scim/bearer', { body: {} })).secret);
});
afterAll(() => server.stop());

/** Of our addresses, not of a workplace's. */
const USERS = '/Users';
const idOf = ({ body }: Told) => String(body['id']);
const user = (more: Record<string, unknown> = {}) => ({ schemas: [USER], userName: `${unique()}@firm.test`, ...more });
const makeUser = async (more: Record<string, unknown> = {}) => idOf(await scim('POST', '/Users', user(more)));
const makeGroup = async (more: Record<string, unknown> = {}) =>
  idOf(await scim('POST', '/Groups', { schemas: [GROUP], displayName: unique(), ...more }));
const found = async (path: string, filter: string) => {
  const { status, body } = await scim('GET', `${path}?filter=${encodeURIComponent(filter)}`);
  return status === 200 ? (body['Resources'] as { id: string }[]).map(({ id }) => id) : [status, body['scimType']];
};
const refused = async (asked: Promise<Told>) => {
  const { status, body, headers } = await asked;
  expect(body['schemas']).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
  expect(body['status']).toBe(String(status));
  expect(headers.get('content-type')).toBe('application/scim+json');
  return [status, body['scimType']];
};
const memberOf = async (email: string) =>
  (await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: company.id } })).find((one) => one.email === email);

describe('SCIM', () => {
  it('takes users as they are sent, makes members of them, and forgets them when they are deleted', async () => {
    const userName = `${unique()}@firm.test`;
    const sent = {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      userName,
      externalId: 'E-1',
      name: { givenName: 'Åse', familyName: 'Å', formatted: 'Åse Å' },
      emails: [{ primary: true, type: 'work', value: userName }],
      phoneNumbers: [{ type: 'mobile', value: '+47 912 34 999' }],
      active: true,
      addresses: [{ type: 'work', country: 'NO' }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
    };
    const made = await scim('POST', '/Users', sent);
    expect(made.status).toBe(201);
    const { id, meta, ...rest } = made.body;
    expect(rest).toEqual({ schemas: [USER], userName, externalId: 'E-1', name: sent.name, emails: sent.emails, phoneNumbers: sent.phoneNumbers, active: true }); // prettier-ignore
    expect(made.headers.get('location')).toBe(`${server.url}/scim/v2/Users/${String(id)}`);
    expect(meta).toMatchObject({ resourceType: 'User', location: made.headers.get('location'), version: made.headers.get('etag') });
    expect(await memberOf(userName)).toMatchObject({ name: 'Åse Å', tlf: '+4791234999', roles: [] });

    expect(await refused(scim('POST', '/Users', { ...sent, userName: userName.toUpperCase() }))).toEqual([409, 'uniqueness']);
    expect((await scim('GET', `/Users/${String(id)}`)).body).toEqual(made.body);
    const replaced = await scim('PUT', `/Users/${String(id)}`, { schemas: [USER], userName, displayName: 'Other', id: 'not-mine' });
    expect(replaced.body).toMatchObject({ id, userName, displayName: 'Other', active: true });
    expect(replaced.body).not.toHaveProperty('externalId');
    expect((await scim('DELETE', `/Users/${String(id)}`)).status).toBe(204);
    expect(await memberOf(userName)).toBeUndefined();
    expect(await refused(scim('GET', `/Users/${String(id)}`))).toEqual([404, undefined]);
    expect(await refused(scim('DELETE', `/Users/${String(id)}`))).toEqual([404, undefined]);
    expect((await scim('POST', '/Users', sent)).status).toBe(201);
    expect(await memberOf(userName)).toMatchObject({ name: 'Åse Å' });
  });

  it('hears Entra ID as it writes', async () => {
    const userName = `${unique()}@firm.test`;
    // Its test of a connection: nobody of that name is no error.
    expect((await scim('GET', `/Users?filter=userName+eq+%22${unique()}%22`)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const id = await makeUser({ userName, active: 'True', emails: [{ primary: 'True', type: 'work', value: userName }] });
    const changed = await scim('PATCH', `/Users/${id}`, patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${userName}` },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+4791234998' },
      { op: 'Replace', path: 'name.familyName', value: 'Berg' },
      { op: 'Add', path: 'displayName', value: 'Bo Berg' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'NO' },
    )); // prettier-ignore
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      displayName: 'Bo Berg',
      name: { familyName: 'Berg' },
      emails: [{ primary: true, type: 'work', value: `new-${userName}` }],
      phoneNumbers: [{ type: 'mobile', value: '+4791234998' }],
    });
    expect(await memberOf(`new-${userName}`)).toMatchObject({ name: 'Bo Berg', tlf: '+4791234998' });
    // Without a path, with names of parts, and with the word for false.
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { 'name.givenName': 'Bodil', active: 'False', 'emails[type eq "work"].value': userName } })); // prettier-ignore
    const after = (await scim('GET', `/Users/${id}`)).body;
    expect(after).toMatchObject({ active: false, name: { familyName: 'Berg', givenName: 'Bodil' }, emails: [{ value: userName }] });
    expect(await memberOf(userName)).toBeUndefined();
    // A part without a filter is changed in each of a list.
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'emails.value', value: `all-${userName}` }));
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ emails: [{ primary: true, type: 'work', value: `all-${userName}` }] });
    // Deactivated is not gone, also where its name is asked for.
    expect(await found('/Users', `userName eq "${userName}"`)).toEqual([id]);
    await scim('PUT', `/Users/${id}`, { schemas: [USER], userName });
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ active: false });
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'True' }));
    expect(await memberOf(userName)).toBeDefined();

    const group = await makeGroup({ externalId: 'G-1', members: [] });
    expect(
      (await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }))).status,
    ).toBe(200);
    expect((await scim('GET', `/Groups/${group}`)).body['members']).toEqual([{ value: id, type: 'User', $ref: `${server.url}/scim/v2/Users/${id}` }]); // prettier-ignore
    expect((await scim('GET', `/Groups/${group}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    expect((await scim('GET', `/Users/${id}`)).body['groups']).toMatchObject([{ value: group, type: 'direct' }]);
    await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }));
    expect((await scim('GET', `/Groups/${group}`)).body).not.toHaveProperty('members');
    await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'Add', path: 'members', value: [{ value: id }] }));
    await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'Remove', path: `members[value eq "${id}"]` }));
    expect((await scim('GET', `/Groups/${group}`)).body).not.toHaveProperty('members');
  });

  it('hears Okta as it writes', async () => {
    const userName = `${unique()}@firm.test`;
    const made = await scim('POST', '/Users', {
      schemas: [USER],
      userName,
      name: { givenName: 'Ola', familyName: 'Dal' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Ola Dal',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: 'never-kept',
      active: true,
    });
    expect(made.status).toBe(201);
    expect(made.text).not.toContain('never-kept');
    const id = idOf(made);
    expect((await scim('PUT', `/Users/${id}`, { ...made.body, name: { givenName: 'Ole', familyName: 'Dal' }, displayName: 'Ole Dal' })).body).toMatchObject({ name: { givenName: 'Ole' } }); // prettier-ignore
    expect((await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))).body).toMatchObject({
      active: false,
    });
    expect(await memberOf(userName)).toBeUndefined();
    const group = await makeGroup();
    const displayName = unique();
    await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'replace', value: { id: group, displayName } }));
    expect(await found('/Groups', `displayName eq "${displayName}"`)).toEqual([group]);
    await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'replace', path: 'members', value: [{ value: id, display: userName }] }));
    await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'remove', path: `members[value eq "${id}"]` }, { op: 'add', path: 'members', value: [{ value: id, display: userName }] })); // prettier-ignore
    expect((await scim('GET', `/Groups/${group}`)).body['members']).toMatchObject([{ value: id }]);
    expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204);
  });

  it('finds by what a filter says, and says so where it cannot', async () => {
    const word = unique();
    const a = await makeUser({ userName: `a.${word}@firm.test`, externalId: `X-${word}`, title: 'Chief "x" \\', emails: [{ type: 'work', value: `a.${word}@firm.test` }, { type: 'home', value: `h.${word}@home.test` }] }); // prettier-ignore
    const b = await makeUser({ userName: `b.${word}@firm.test`, active: false, name: { familyName: word } });
    const group = await makeGroup({ members: [{ value: a }] });
    for (const [filter, ids] of [
      [`userName eq "A.${word}@FIRM.test"`, [a]],
      [`userName eq a.${word}@firm.test`, [a]],
      [`${USER}:userName eq "a.${word}@firm.test"`, [a]],
      [`externalId eq "X-${word}"`, [a]],
      [`externalId eq "x-${word}"`, []],
      [`id eq "${a}"`, [a]],
      [`userName co "${word}"`, [a, b]],
      [`userName sw "b.${word}" or externalId eq "X-${word}"`, [a, b]],
      [`userName ew "${word}@firm.test" and active eq true`, [a]],
      [`userName co "${word}" and active eq False`, [b]],
      [`userName co "${word}" and not (title pr)`, [b]],
      [`userName co "${word}" and title eq "chief \\"x\\" \\\\"`, [a]],
      [`name.familyName eq "${word}"`, [b]],
      [`emails[type eq "home" and value co "${word}"]`, [a]],
      [`emails[type eq "home"].value eq "h.${word}@home.test"`, [a]],
      [`emails[type eq "work"].value eq "h.${word}@home.test"`, []],
      [`emails.value eq "h.${word}@home.test"`, [a]],
      [`emails eq "h.${word}@home.test"`, [a]],
      [`userName co "${word}" and (emails pr)`, [a]],
      [`groups.value eq "${group}"`, [a]],
      [`groups[value eq "${group}"]`, [a]],
      [`userName co "${word}" and meta.created gt "2020-01-01T00:00:00Z" and meta.lastModified lt "2999-01-01T00:00:00Z"`, [a, b]],
      [`userName co "${word}" and userName gt "b"`, [b]],
      [`userName co "${word}" and userName ne "b.${word}@firm.test"`, [a]],
      [`userName co "${word}" and nothing eq "x"`, []],
      ['userName eq', [400, 'invalidFilter']],
      ['userName is "x"', [400, 'invalidFilter']],
      ['(userName pr', [400, 'invalidFilter']],
      ['userName pr)', [400, 'invalidFilter']],
      ['"userName" eq "x"', [400, 'invalidFilter']],
      ['userName eq "x', [400, 'invalidFilter']],
      ['active gt true', [400, 'invalidFilter']],
      ['meta.created gt "yesterday"', [400, 'invalidFilter']],
      ['emails[type eq "work"', [400, 'invalidFilter']],
      ['emails[emails[type eq "x"]]', [400, 'invalidFilter']],
      [`${'('.repeat(30)}userName pr${')'.repeat(30)}`, [400, 'invalidFilter']],
      ['x'.repeat(3000), [400, 'invalidFilter']],
    ] as const)
      expect([filter, ...(await found('/Users', filter))]).toEqual([filter, ...ids]);
    expect(await found('/Groups', `members.value eq "${a}"`)).toEqual([group]);
    expect(await found('/Groups', `members[value eq "${b}"]`)).toEqual([]);
    expect((await scim('POST', `${USERS}/.search`, { filter: `userName co "${word}"`, count: 1 })).body).toMatchObject({
      totalResults: 2,
      itemsPerPage: 1,
    });
  });

  it('gives lists in pages, and of a resource what is asked for', async () => {
    const word = unique();
    const ids = [];
    for (const at of [1, 2, 3]) ids.push(await makeUser({ userName: `${at}.${word}@firm.test`, displayName: `D${at}`, emails: [{ type: 'work', value: `${at}.${word}@firm.test` }] })); // prettier-ignore
    const list = (more: string) => scim('GET', `/Users?filter=${encodeURIComponent(`userName co "${word}"`)}&${more}`);
    const page = (await list('startIndex=2&count=1&attributes=userName,emails.type')).body;
    expect(page).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ schemas: [USER], id: ids[1], userName: `2.${word}@firm.test`, emails: [{ type: 'work' }] }],
    });
    expect((await list('count=0')).body).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect((await list('startIndex=-5&count=-1')).body).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
    expect((await list('startIndex=99')).body).toMatchObject({ totalResults: 3, Resources: [] });
    expect(await refused(list('count=many'))).toEqual([400, 'invalidValue']);
    const bare = (await scim('GET', `/Users/${ids[0] ?? ''}?excludedAttributes=${USER}:emails,meta,id`)).body;
    expect(Object.keys(bare).sort()).toEqual(['active', 'displayName', 'id', 'schemas', 'userName']);
  });

  it('keeps a change from going over another one', async () => {
    const id = await makeUser();
    const first = await scim('GET', `/Users/${id}`);
    const etag = first.headers.get('etag') ?? '';
    expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304);
    const change = (value: string, tag: string) =>
      scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'title', value }), { 'if-match': tag });
    expect((await change('One', etag)).status).toBe(200);
    expect(await refused(change('Two', etag))).toEqual([412, undefined]);
    expect(await refused(scim('DELETE', `/Users/${id}`, undefined, { 'if-match': etag }))).toEqual([412, undefined]);
    const both = await Promise.all([1, 2, 3].map((at) => scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'emails', value: [{ type: 'other', value: `${at}@x.test` }] })))); // prettier-ignore
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await scim('GET', `/Users/${id}`)).body['emails']).toHaveLength(3);
  });

  it('does all of a PATCH or nothing of it, and says which rule it broke', async () => {
    const id = await makeUser({ title: 'Before', emails: [{ type: 'work', value: 'w@x.test', primary: true }] });
    const group = await makeGroup();
    for (const [operations, code] of [
      [
        [
          { op: 'replace', path: 'title', value: 'After' },
          { op: 'replace', path: 'id', value: 'x' },
        ],
        'mutability',
      ],
      [[{ op: 'remove' }], 'noTarget'],
      [[{ op: 'move', path: 'title' }], 'invalidSyntax'],
      [[{ op: 'replace', path: 'nothing', value: 'x' }], 'invalidPath'],
      [[{ op: 'replace', path: 'emails[', value: 'x' }], 'invalidPath'],
      [[{ op: 'replace', path: 'title[type eq "x"]', value: 'x' }], 'invalidPath'],
      [[{ op: 'replace', path: 'title.part', value: 'x' }], 'invalidPath'],
      [[{ op: 'replace', path: 'name.part', value: 'x' }], 'invalidPath'],
      [[{ op: 'replace', path: 'emails[type eq "home"].value', value: 'x' }], 'noTarget'],
      [[{ op: 'add', path: 'emails[type co "home"].value', value: 'x' }], 'noTarget'],
      [[{ op: 'replace', path: 'emails[kind eq "home"].value', value: 'x' }], 'invalidFilter'],
      [[{ op: 'replace', path: 'active', value: 'perhaps' }], 'invalidValue'],
      [[{ op: 'replace', path: 'title', value: 7 }], 'invalidValue'],
      [[{ op: 'replace', path: 'name', value: 'x' }], 'invalidValue'],
      [[{ op: 'remove', path: 'userName' }], 'mutability'],
      [[{ op: 'replace', path: 'userName', value: ' ' }], 'invalidValue'],
      [[{ op: 'replace', value: 'x' }], 'invalidValue'],
      [[], 'invalidSyntax'],
    ] as const)
      expect([operations, ...(await refused(scim('PATCH', `/Users/${id}`, patchOf(...operations))))]).toEqual([operations, 400, code]);
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ title: 'Before' });
    const many = Array.from({ length: 101 }, (_, at) => ({ value: `${at}@x.test` }));
    expect(await refused(scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'emails', value: many })))).toEqual([
      400,
      'invalidValue',
    ]);
    expect(await refused(scim('PATCH', `/Groups/${group}`, patchOf({ op: 'add', path: 'members', value: [{ value: group }] })))).toEqual([400, 'invalidValue']); // prettier-ignore
    expect(await refused(scim('PATCH', `/Groups/${group}`, patchOf({ op: 'add', path: 'members', value: [{}] })))).toEqual([
      400,
      'invalidValue',
    ]);
    // One is primary, and of a part that is removed nothing is left.
    const two = await scim('PATCH', `/Users/${id}`, patchOf(
      { op: 'add', path: 'emails', value: { type: 'home', value: 'h@x.test', primary: true } },
      { op: 'remove', path: 'emails[type eq "work"].primary' },
      { op: 'remove', path: 'title' },
      { op: 'add', path: 'name', value: { givenName: 'G', familyName: 'F' } },
      { op: 'replace', path: 'name', value: { givenName: 'H' } },
    )); // prettier-ignore
    expect(two.body).toMatchObject({ emails: [{ type: 'work', value: 'w@x.test' }, { type: 'home', value: 'h@x.test', primary: true }], name: { givenName: 'H', familyName: 'F' } }); // prettier-ignore
    expect(two.body).not.toHaveProperty('title');
  });

  it('refuses what cannot be read, in its own form', async () => {
    const id = await makeUser();
    for (const body of [
      '{',
      '[]',
      'null',
      '{}',
      '"x"',
      { schemas: [USER] },
      { schemas: [USER], userName: '' },
      { userName: 'x' },
      { schemas: 'x', userName: 'x' },
      { schemas: [USER], userName: 'x\u0000y' },
      { schemas: [USER], userName: 'x'.repeat(2000) },
      { schemas: [USER], userName: ['a', 'b'] },
      { schemas: [USER], userName: unique(), emails: 7 },
      { schemas: [USER], userName: unique(), active: {} },
    ])
      // prettier-ignore
      for (const [method, path] of [['POST', '/Users'], ['PUT', `/Users/${id}`]] as const) // prettier-ignore
        expect([body, (await refused(scim(method, path, body)))[0]]).toEqual([body, 400]);
    expect((await refused(scim('POST', '/Users', '<x/>', { 'content-type': 'text/xml' })))[0]).toBe(415);
    expect((await refused(scim('POST', '/Users', `"${'x'.repeat(3_000_000)}"`)))[0]).toBe(413);
    for (const path of ['/Nothing', `${USERS}/x`, '/Groups/%00', `/Users/${company.id}`])
      expect([path, (await refused(scim('GET', path)))[0]]).toEqual([path, 404]);
    for (const path of ['/Bulk', '/Me']) expect((await refused(scim('POST', path, {})))[0]).toBe(501);
    expect((await refused(scim('PUT', '/Schemas', {})))[0]).toBe(405);
    expect((await refused(scim('GET', '/Schemas?filter=x')))[0]).toBe(403);
    expect(((await scim('GET', `/Schemas/${USER}`)).body as { id: string }).id).toBe(USER);
  });

  it('is one company’s, and nobody’s without its bearer', async () => {
    const id = await makeUser();
    const group = await makeGroup();
    const other = await testCompany(server);
    const boss = await other.person(['admin']);
    const theirs = scimClient(server.url, (await boss.api('POST /directory/scim/bearer', { body: {} })).secret);
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', user()],
      ['PATCH', patchOf({ op: 'replace', path: 'title', value: 'x' })],
      ['DELETE', undefined],
    ] as const)
      // prettier-ignore
      expect([method, ...(await refused(theirs(method, `/Users/${id}`, body)))]).toEqual([method, 404, undefined]);
    expect((await refused(theirs('GET', `/Groups/${group}`)))[0]).toBe(404);
    expect((await theirs('GET', '/Users')).body).toMatchObject({ totalResults: 0 });
    // Another company's person in one's own group is an id like any other that nobody has.
    const mine = idOf(await theirs('POST', '/Groups', { schemas: [GROUP], displayName: 'Mine', members: [{ value: id }] }));
    expect((await theirs('GET', `/Groups/${mine}`)).body['members']).toEqual([{ value: id }]);
    expect((await scim('GET', `/Users/${id}`)).body).not.toHaveProperty('groups');
    const { secret } = await boss.api('POST /directory/scim/bearer', { body: {} });
    for (const wrong of [
      null,
      'x',
      secret.slice(0, -1),
      `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
      boss.token,
      'hwscim_',
    ]) {
      const told = await scimClient(server.url, wrong)('GET', '/ServiceProviderConfig');
      expect([wrong, told.status, told.headers.get('www-authenticate')]).toEqual([wrong, 401, 'Bearer']);
      expect(told.body['schemas']).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    }
    expect((await theirs('GET', '/Users')).status).toBe(401);
    expect(await refusal(server.as(secret)('GET /lockers'))).toEqual([401, 'unauthenticated']);
  });
});

describe('The bearer', () => {
  it('is shown once, replaced, withdrawn, and ends with its maker’s right; a key makes none', async () => {
    const other = await testCompany(server);
    const [boss, maker] = [await other.person(['admin']), await other.person(['admin'], 'Mia Maker')];
    expect(await boss.api('GET /directory/scim')).toEqual({ address: `${server.url}/scim/v2`, prefix: null, madeAt: null, madeBy: null, lastUsedAt: null, ended: null }); // prettier-ignore
    const { secret, ...made } = await maker.api('POST /directory/scim/bearer', { body: {} });
    expect(made).toMatchObject({ prefix: secret.slice(0, 33), madeBy: 'Mia Maker', lastUsedAt: null });
    const status = async () => (await scimClient(server.url, secret)('GET', '/Users')).status;
    expect(await status()).toBe(200);
    expect((await boss.api('GET /directory/scim')).lastUsedAt).not.toBeNull();
    await server.operator('PUT /operator/companies/{id}', { params: { id: other.id }, body: { suspended: true } });
    expect(await status()).toBe(403);
    await server.operator('PUT /operator/companies/{id}', { params: { id: other.id }, body: { suspended: false } });
    const { secret: key } = await boss.api('POST /key', { body: { name: 'K', scopes: ['admin:integrations'] } });
    expect(await refusal(server.as(key)('POST /directory/scim/bearer', { body: {} }))).toEqual([403, 'forbidden']);
    expect(await refusal((await other.person(['all'])).api('GET /directory/scim'))).toEqual([403, 'forbidden']);

    const [membership] = await boss.api('GET /companies/{tenant}/memberships', { params: { tenant: other.id }, query: { q: { accountId: maker.accountId } } }); // prettier-ignore
    await boss.api('PUT /companies/{tenant}/memberships/{membershipId}', { params: { tenant: other.id, membershipId: membership?.id ?? '' }, body: { roles: [], version: membership?.version ?? 0 } }); // prettier-ignore
    expect(await status()).toBe(401);
    expect(await boss.api('GET /directory/scim')).toMatchObject({ prefix: null, ended: 'maker' });
    const anew = await boss.api('POST /directory/scim/bearer', { body: {} });
    await boss.api('DELETE /directory/scim/bearer');
    expect((await scimClient(server.url, anew.secret)('GET', '/Users')).status).toBe(401);
    expect(await refusal(boss.api('DELETE /directory/scim/bearer'))).toEqual([404, 'not-found']);
    expect(await boss.api('GET /directory/scim')).toMatchObject({ prefix: null, ended: 'withdrawn' });
  });
});
