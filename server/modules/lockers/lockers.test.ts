import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, UNANSWERED, type TestServer } from '../../test-server.ts';
import { beginDeleting } from '../companies/commands.ts';

let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let counter: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin']);
  counter = await company.person(['delivery_manager']);
  wall = await testCabinet(server, admin.api, 7);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});
afterEach(() => {
  wall.mode = 'obey';
});

const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return [error.status, error.problem?.code];
};
const door = (n: number) => {
  const locker = wall.lockers[n - 1];
  if (!locker) throw new Error(`no door ${n}`);
  return locker;
};
const open = (n: number, more: object = {}, api = admin.api) =>
  api('POST /lockers/{id}/open', { params: { id: door(n).id }, body: { doorTag: door(n).doorTag, ...more } });
const read = (n: number) => admin.api('GET /lockers/{id}', { params: { id: door(n).id } });
const story = async (n: number) =>
  (
    await admin
      .api('GET /lockers/{id}', { params: { id: door(n).id } })
      .then(() =>
        query<{ type: string; actor_name: string }>(
          server.database.ownerUrl,
          'select type, actor_name from events where locker_id = $1 order by id',
          [door(n).id],
        ),
      )
  ).map((row) => row.type);
const shut = async (n: number) => {
  await wall.close(n);
  await expect.poll(async () => (await read(n)).door).toBe('closed');
};

describe('doors', () => {
  // shows R3.7, R4.22, R4.23, R7.27, R7.28
  it('open when the controller says so, and the history tells who', async () => {
    const opened = await open(1, { reason: 'looking' });
    expect(opened).toMatchObject({
      door: 'opened',
      lastCommand: { outcome: 'opened', op: 'open', by: { kind: 'person', id: admin.accountId } },
    });
    await shut(1);
    expect(await story(1)).toEqual(['locker_opened', 'locker_closed']);
    // A door that opened and closed proves nothing about the content.
    expect(await read(1)).toMatchObject({ content: 'empty', inDoubt: false });
  });

  it('are never claimed open: jammed is refused, and said plainly', async () => {
    wall.mode = 'jam';
    expect(await refusal(open(2))).toEqual([409, 'door-refused']);
    expect(await read(2)).toMatchObject({ door: 'closed', lastCommand: { outcome: 'refused', code: 'jammed' } });
    expect(await story(2)).toEqual(['locker_open_refused']);
  });

  it('that do not answer end as no-answer within 8 s', async () => {
    expect(server.deps.pace.answerMs).toBeLessThan(8_000);
    wall.mode = 'silent';
    expect(await server.paced(UNANSWERED, () => refusal(open(3)))).toEqual([504, 'no-answer']);
    expect(await read(3)).toMatchObject({ door: 'closed', lastCommand: { outcome: 'no-answer' } });
    expect(await story(3)).toEqual(['locker_no_answer']);
  });

  it('opened by nobody put the content in doubt, once, though the message came twice', async () => {
    await wall.force(4);
    await wall.force(4);
    await expect.poll(async () => (await read(4)).inDoubt).toBe(true);
    expect(await read(4)).toMatchObject({ door: 'opened', content: 'unknown', contentWhy: 'unexpected-opening' });
    expect((await story(4)).filter((type) => type === 'locker_opened')).toHaveLength(1);
    await shut(4);
    const settled = await admin.api('PUT /lockers/{id}/content', {
      params: { id: door(4).id },
      body: { content: 'empty', note: 'looked' },
    });
    expect(settled).toMatchObject({ content: 'empty', contentWhy: 'word', inDoubt: false });
    const said = async () =>
      (await admin.api('GET /history', { query: { q: { lockerId: door(4).id } } }))
        .filter(({ data }) => data['by'] === 'word')
        .map(({ type, data }) => [type, data['note']]);
    await admin.api('PUT /lockers/{id}/content', { params: { id: door(4).id }, body: { content: 'occupied', note: 'a shoe' } });
    await expect.poll(said).toEqual([
      ['locker_occupied', 'a shoe'],
      ['locker_empty', 'looked'],
    ]);
    await admin.api('PUT /lockers/{id}/content', { params: { id: door(4).id }, body: { content: 'empty', note: 'looked' } });
  });

  it('in doubt and settled by several at once: one word settled it, the others were said after', async () => {
    const params = { id: door(4).id };
    await query(server.database.ownerUrl, `update lockers set content = 'unknown', content_why = 'word' where id = $1`, [params.id]);
    const note = 'all at once';
    await Promise.all(
      Array.from({ length: 6 }, () => admin.api('PUT /lockers/{id}/content', { params, body: { content: 'empty', note } })),
    );
    const told = (await admin.api('GET /history', { query: { q: { lockerId: params.id } } })).filter(({ data }) => data['note'] === note);
    expect([told.length, told.filter(({ data }) => data['settled'] === true).length]).toEqual([6, 1]);
  });

  it('opened twice under one command id: the second opening is nobody’s', async () => {
    await open(5);
    await shut(5);
    await wall.say().state('open', { cmdId: (await read(5)).lastCommand?.id, occupancy: 'unknown' }, 5);
    await expect.poll(async () => (await read(5)).content).toBe('unknown');
    await shut(5);
    await admin.api('PUT /lockers/{id}/content', { params: { id: door(5).id }, body: { content: 'empty' } });
  });

  it('are taken out of service by whoever builds, also by who may open none', async () => {
    const manager = await company.person(['manager']);
    const params = { id: door(7).id };
    expect(await refusal(open(7, {}, manager.api))).toEqual([403, 'forbidden']);
    const body = { outOfService: true, reason: 'hinge' } as const;
    expect(await manager.api('PUT /lockers/{id}/service', { params, body })).toMatchObject({ outOfService: { reason: 'hinge' } });
    await manager.api('PUT /lockers/{id}/service', { params, body: { outOfService: false } });
  });

  it('asked twice and moved by the first: it is the first one’s, and nobody else’s opening', async () => {
    wall.mode = 'mute';
    const first = open(7, { reason: 'first' }).catch(() => null);
    await expect.poll(() => wall.commands.filter((one) => one.compartment === 7).length).toBe(1);
    const second = open(7, { reason: 'second' }).catch(() => null);
    await expect.poll(() => wall.commands.filter((one) => one.compartment === 7).length).toBe(2);
    const [asked, again] = wall.commands.filter((one) => one.compartment === 7);
    await wall.say().state('open', { cmdId: asked?.cmdId, occupancy: 'unknown' }, 7);
    await expect.poll(async () => (await read(7)).door).toBe('opened');
    expect(await read(7)).toMatchObject({ content: 'empty', inDoubt: false });
    const [told] = await query<{ data: object }>(
      server.database.ownerUrl,
      `select data from events where locker_id = $1 and type = 'locker_opened'`,
      [door(7).id],
    );
    expect(told?.data).toEqual({ reason: 'first' });
    await wall.say().ack(again?.cmdId ?? '', 'failed', { code: 'jammed' });
    await Promise.all([first, second]);
    await shut(7);
  });

  it('out of service stay shut without a reason', async () => {
    const params = { id: door(6).id };
    await admin.api('PUT /lockers/{id}/service', { params, body: { outOfService: true, reason: 'hinge' } });
    expect(await refusal(open(6))).toEqual([409, 'out-of-service']);
    expect(await open(6, { reason: 'repair' })).toMatchObject({ door: 'opened' });
    await shut(6);
    expect(await admin.api('PUT /lockers/{id}/service', { params, body: { outOfService: false } })).toMatchObject({ outOfService: null });
  });

  it('taken out of service and given back stand in the history, with who and why, and in the file', async () => {
    const params = { id: door(5).id };
    const service = (body: { outOfService: true; reason: string } | { outOfService: false }) =>
      admin.api('PUT /lockers/{id}/service', { params, body });
    const { outOfService: out } = await service({ outOfService: true, reason: 'the hinge' });
    // Said once more it is no news, from somebody else it is: they looked too.
    const other = await company.person(['admin'], 'Else Admin');
    const body = { outOfService: true, reason: 'the hinge' } as const;
    expect((await service(body)).outOfService).toEqual(out);
    expect((await other.api('PUT /lockers/{id}/service', { params, body })).outOfService).toEqual(out);
    await service({ outOfService: false });
    // It is in service already: nothing happens.
    await service({ outOfService: false });
    const q = { lockerId: params.id, type: { $in: ['locker_out_of_service', 'locker_back_in_service'] as string[] } };
    const told = (await admin.api('GET /history', { query: { q, sort: 'at' } })).map(({ type, actor, data }) => [type, actor.id, data]);
    expect(told).toEqual([
      ['locker_out_of_service', admin.accountId, { reason: 'the hinge' }],
      ['locker_out_of_service', other.accountId, { reason: 'the hinge' }],
      ['locker_back_in_service', admin.accountId, {}],
    ]);
    const file = await (await admin.api('GET /exports/history', { query: { q: JSON.stringify(q), locale: 'nb' } })).text();
    expect(file).toContain('Tatt ut av drift');
    expect(file).toContain('the hinge');
    expect(file).toContain('I drift igjen');
  });

  it('name their tag, and belong to their own people', async () => {
    expect(await refusal(admin.api('POST /lockers/{id}/open', { params: { id: door(1).id }, body: { doorTag: 'other' } }))).toEqual([
      422,
      'door-tag-mismatch',
    ]);
    expect(await refusal(open(1, {}, counter.api))).toEqual([403, 'forbidden']);
    const scoped = await company.scoped(['manage'], [door(1).id]);
    expect(await open(1, {}, scoped.api)).toMatchObject({ door: 'opened' });
    await shut(1);
    expect(await refusal(open(2, {}, scoped.api))).toEqual([404, 'not-found']);
    expect((await scoped.api('GET /lockers')).map((locker) => locker.id)).toEqual([door(1).id]);
    expect((await scoped.api('GET /cabinets')).map((cabinet) => cabinet.id)).toEqual([wall.id]);
  });

  // shows R3.6, R7.26
  it('are listed by q, of the own company whether q says so or not, and of no other', async () => {
    const { id, doorTag } = door(3);
    const ids = async (q: Record<string, unknown>) => (await admin.api('GET /lockers', { query: { q } })).map((locker) => locker.id);
    expect(await admin.api('GET /lockers', { query: { q: { doorTag } } })).toMatchObject([{ id, tenantId: company.id, doorTag }]);
    const all = wall.lockers.map((locker) => locker.id).toSorted();
    expect((await ids({})).toSorted()).toEqual(all);
    const other = crypto.randomUUID();
    for (const own of [company.id, company.id.toUpperCase(), { $in: [other, company.id] }, { $ne: other }, { $ne: null }])
      expect([own, (await ids({ tenantId: own })).toSorted()]).toEqual([own, all]);
    for (const foreign of [other, null, { $in: [other] }, { $in: [] }, { $ne: company.id }])
      expect([foreign, await ids({ tenantId: foreign })]).toEqual([foreign, []]);
  });

  // shows R7.29
  it('open by a scanned tag too', async () => {
    expect(await admin.api('POST /open/door', { body: { doorTag: door(2).doorTag } })).toMatchObject({ id: door(2).id, door: 'opened' });
    await shut(2);
    expect(await refusal(admin.api('POST /open/door', { body: { doorTag: 'nowhere' } }))).toEqual([404, 'not-found']);
  });

  it('cannot be locked where the controller cannot', async () => {
    expect(await refusal(admin.api('PUT /lockers/{id}/lock', { params: { id: door(1).id }, body: {} }))).toEqual([422, 'cannot-lock']);
  });
});

describe('a cabinet', () => {
  // shows R4.26, R4.27, R3.7
  it('that falls silent is offline once, its doors unknown, and its commands answered at once', async () => {
    await wall.cut();
    await expect.poll(async () => (await read(1)).connection).toBe('offline');
    expect(await read(1)).toMatchObject({ door: 'unknown' });
    const began = Date.now();
    expect(await refusal(open(1))).toEqual([503, 'cabinet-offline']);
    expect(Date.now() - began).toBeLessThan(6_000);
    await wall.plug();
    await expect.poll(async () => (await read(1)).door).toBe('closed');
    const rows = await query<{ type: string }>(
      server.database.ownerUrl,
      `select type from events where cabinet_id = $1 and type in ('locker_online', 'locker_offline') order by id`,
      [wall.id],
    );
    expect(rows.map((row) => row.type)).toEqual(['locker_online', 'locker_offline', 'locker_online']);
    expect(
      await query(server.database.ownerUrl, 'select 1 from outages where cabinet_id = $1 and ended_at is not null', [wall.id]),
    ).toHaveLength(1);
  });

  it('bears a number that can be typed with a pick-up code, or none is taken', async () => {
    const [site] = await admin.api('GET /sites');
    const make = (number: number) => admin.api('POST /cabinets', { body: { siteId: site?.id ?? '', name: 'Low', number, columns: [] } });
    expect(await refusal(make(42))).toEqual([400, 'malformed']);
    const { number } = await make(4211);
    expect(await server.as(null)('GET /pickup/cabinets/{number}', { params: { number: String(number) } })).toMatchObject({ name: 'Low' });
  });

  it('pairs once with a code, and not with a spent one', async () => {
    const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
    const anybody = server.as(null);
    const body = { code, fw: '2', model: 'test' };
    const answers = await Promise.allSettled([anybody('POST /devices/pair', { body }), anybody('POST /devices/pair', { body })]);
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(anybody('POST /devices/pair', { body }))).toEqual([410, 'gone']);
  });

  it('whose answer was cut off has spent no code', async () => {
    const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
    const pair = () => server.as(null)('POST /devices/pair', { body: { code, fw: '2', model: 'test' } });
    const break_ = `create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
      create trigger cut_off before update on cabinets for each row when (old.credential_hash is distinct from new.credential_hash) execute function cut_off()`;
    await query(server.database.ownerUrl, break_);
    expect((await refusal(pair()))[0]).toBe(500);
    await query(server.database.ownerUrl, 'drop function cut_off cascade');
    expect(await pair()).toMatchObject({ controllerId: wall.id });
  });

  it('pairs none of a company that is suspended, nor of one that is being deleted', async () => {
    const theirs = await testCompany(server);
    const owner = await theirs.person(['admin']);
    const cabinet = await testCabinet(server, owner.api, 1);
    const code = async () => (await owner.api('POST /cabinets/{id}/pair', { params: { id: cabinet.id } })).code;
    const pair = (given: string) => server.as(null)('POST /devices/pair', { body: { code: given, fw: '2', model: 'test' } });
    const suspend = (suspended: boolean) =>
      server.operator('PUT /operator/companies/{id}', { params: { id: theirs.id }, body: { suspended } });
    const given = await code();
    await suspend(true);
    expect(await refusal(pair(given))).toEqual([403, 'suspended']);
    // Its code is not spent.
    await suspend(false);
    expect(await pair(given)).toMatchObject({ controllerId: cabinet.id });
    const late = await code();
    await server.deps.db.tenant(theirs.id, (tx) =>
      beginDeleting(tx, { tenantId: theirs.id, now: new Date().toISOString(), actor: { kind: 'system', id: null, name: 'Operator' } }),
    );
    expect(await refusal(pair(late))).toEqual([403, 'suspended']);
    await suspend(false).catch(() => null);
    // What is being deleted stays so.
    expect(await refusal(pair(late))).toEqual([403, 'suspended']);
    cabinet.end();
  });

  it('pairs as many as there are from one address: wrong codes alone count against it', async () => {
    const anybody = server.as(null);
    const pair = (code: string) => anybody('POST /devices/pair', { body: { code, fw: '2', model: 'test' } });
    // Twenty in a minute are taken: each of these would be one too many soon, if it counted.
    for (let controller = 0; controller < 4; controller++) {
      const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
      expect(await pair(code)).toMatchObject({ controllerId: wall.id });
      await query(server.database.ownerUrl, 'update rate_limits set count = 19 where count < 19', []);
    }
    // Over the turn of a minute they may begin anew, once.
    const guesses = await Promise.all(Array.from({ length: 45 }, () => refusal(pair('WRNG-2345'))));
    expect(guesses).toContainEqual([429, 'too-many-requests']);
    expect(guesses).toContainEqual([410, 'gone']);
    await query(server.database.ownerUrl, 'delete from rate_limits', []);
  });
});

describe('what is noticed', () => {
  let company: TestCompany;
  let admin: TestPerson;
  let wall: TestCabinet;
  beforeAll(async () => {
    company = await testCompany(server);
    admin = await company.person(['admin']);
    wall = await testCabinet(server, admin.api, 8);
  });
  afterAll(async () => {
    wall?.end();
  });

  describe('what a controller notices', () => {
    const claimed = async (locker: { id: string }) => {
      const receiver = { name: 'Kari Nordmann', tlf: '91234567' };
      const made = await admin.api('POST /occupations/delivery', { body: { lockerId: locker.id, receiver, fill: true } });
      await admin.api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
      return admin.api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    };
    const typesOf = async (occupationId: string) =>
      (
        await query<{ type: string }>(server.database.ownerUrl, 'select type from events where occupation_id = $1 order by id', [
          occupationId,
        ])
      ).map((row) => row.type);

    // shows R4.25
    it('of a shut door is no opening: nobody was let to the content, it is only in doubt', async () => {
      const locker = await wall.free();
      const made = await claimed(locker);
      await wall.say().event('tamper', { compartment: locker.compartment });
      const content = async () => (await admin.api('GET /lockers/{id}', { params: { id: locker.id } })).content;
      await expect.poll(content).toBe('unknown');
      const told = await typesOf(made.id);
      expect(told).toContain('locker_unknown');
      expect(told).not.toContain('locker_opened');
      expect(told).not.toContain('occupation_claiming');
      expect(await admin.api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ stageName: 'CLAIMING' });
    });

    // shows R4.9
    it('of a door left open is told as that, and not as a second opening', async () => {
      const locker = await wall.free();
      const made = await claimed(locker);
      await admin.api('POST /lockers/{id}/open', {
        params: { id: locker.id },
        body: { doorTag: locker.doorTag, occupationId: made.id },
      });
      expect((await typesOf(made.id)).slice(-2)).toEqual(['occupation_claiming', 'locker_opened']);
      await wall.say().event('left_open', { compartment: locker.compartment });
      await expect.poll(() => typesOf(made.id)).toContain('locker_unknown');
      expect((await typesOf(made.id)).filter((type) => type === 'locker_opened')).toHaveLength(1);
    });

    // shows R4.25
    it('once more after somebody has looked is another incident: in doubt again, and told to whom its parcel concerns', async () => {
      const locker = await wall.free();
      const params = { id: locker.id };
      const staff = await company.person(['delivery_manager']);
      const made = await claimed(locker);
      const content = async () => (await admin.api('GET /lockers/{id}', { params })).content;
      for (let time = 0; time < 2; time++) {
        await wall.say().event('tamper', { compartment: locker.compartment });
        await expect.poll(content).toBe('unknown');
        await admin.api('PUT /lockers/{id}/content', { params, body: { content: 'occupied' } });
        expect(await content()).toBe('occupied');
      }
      const told = (await staff.api('GET /history', { query: { q: { occupationId: made.id } } })).map(({ type }) => type);
      expect(told.filter((type) => type === 'locker_unknown' || type === 'locker_occupied').toSorted()).toEqual([
        'locker_occupied',
        'locker_occupied',
        'locker_unknown',
        'locker_unknown',
      ]);
    });

    it('by a sensor counts once the door is shut, also where it was noticed while the door stood open', async () => {
      const locker = await wall.free();
      const params = { id: locker.id };
      await admin.api('POST /lockers/{id}/open', { params, body: { doorTag: locker.doorTag } });
      await wall.say().state('open', { occupancy: 'occupied' }, locker.compartment);
      await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params })).occupancy).toBe('occupied');
      expect(await admin.api('GET /lockers/{id}', { params })).toMatchObject({ content: 'empty' });
      await wall.close(locker.compartment, { occupancy: 'occupied' });
      await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params })).door).toBe('closed');
      expect(await admin.api('GET /lockers/{id}', { params })).toMatchObject({ content: 'occupied', contentWhy: 'sensor', inDoubt: true });
    });
  });

  describe('when a cabinet was last heard', () => {
    it('does not stand still while it speaks', async () => {
      const heard = () => admin.api('GET /cabinets/{id}', { params: { id: wall.id } });
      const long = new Date(Date.now() - 3_600_000).toISOString();
      await query(server.database.ownerUrl, 'update cabinets set last_seen_at = $2, updated_at = $2 where id = $1', [wall.id, long]);
      expect(await heard()).toMatchObject({ lastSeenAt: long });
      await wall.close(1);
      await expect.poll(async () => Date.parse((await heard()).lastSeenAt ?? long)).toBeGreaterThan(Date.parse(long));
      // A screen that shows it takes the change as a newer one.
      expect(Date.parse((await heard()).updatedAt)).toBeGreaterThan(Date.parse(long));
    });
  });

  describe('a lock', () => {
    it('that did not catch is told of for as long as it is heard', async () => {
      const locker = await wall.free();
      const seen = () => admin.api('GET /lockers/{id}', { params: { id: locker.id } });
      expect(await seen()).toMatchObject({ door: 'closed', lock: 'locked' });
      for (const lock of ['unlocked', 'locked', 'unlocked'] as const) {
        await wall.close(locker.compartment, { lock });
        await expect.poll(async () => (await seen()).lock).toBe(lock);
      }
      expect(await seen()).toMatchObject({ door: 'closed', content: 'empty', inDoubt: false });
      // What it said before it went is not what its lock is now.
      await wall.cut();
      await expect.poll(async () => (await seen()).connection).toBe('offline');
      expect(await seen()).toMatchObject({ door: 'unknown', lock: 'unknown' });
      await wall.plug();
    });
  });

  describe('a process killed between asking and hearing', () => {
    it('leaves a command that ends as no-answer, not a door believed open', async () => {
      const { settleCommand } = await import('./door-commands.ts');
      const id = crypto.randomUUID();
      const locker = await wall.free();
      await query(
        server.database.ownerUrl,
        `insert into commands (tenant_id, id, cabinet_id, controller_id, locker_id, compartment, op, actor, issued_at, expires_at) values ($1, $2, $3::uuid, $3::uuid::text, $4, $5, 'open', '{"kind":"person","id":null,"name":"X"}', now(), now())`,
        [company.id, id, wall.id, locker.id, locker.compartment],
      );
      await settleCommand(server.deps, company.id, id);
      await settleCommand(server.deps, company.id, id);
      const rows = await query<{ type: string }>(server.database.ownerUrl, 'select type from events where locker_id = $1', [locker.id]);
      expect(rows.map((row) => row.type)).toEqual(['locker_no_answer']);
    });
  });

  // Each row is kept as it was last written; whatever a row is made of, a change of it is seen at once.
  describe('a page of lockers', () => {
    const page = () => admin.api('GET /lockers', { query: { limit: 50 } });
    /** Each as it is read by itself, where nothing is kept. */
    const each = () => Promise.all(wall.lockers.map(({ id }) => admin.api('GET /lockers/{id}', { params: { id } })));
    const inOrder = <T extends { id: string }>(rows: readonly T[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const agrees = async () => {
      const [once, again, alone] = [await page(), await page(), await each()];
      expect(inOrder(once)).toEqual(inOrder(alone));
      expect(again).toEqual(once);
      return inOrder(once);
    };

    it('a page says what each locker says, after each kind of change', async () => {
      const { id: lockerId } = await wall.free();
      await expect.poll(async () => (await each()).every(({ door }) => door === 'closed')).toBe(true);
      const set = (text: string) => query(server.database.ownerUrl, text);
      const of = async () => (await agrees()).find(({ id }) => id === lockerId);
      await agrees();
      await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: true, reason: 'Broken' } });
      expect((await of())?.outOfService?.reason).toBe('Broken');
      await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: false } });
      const body = { type: 'delivery', assetText: 'Parcel', receiver: { name: 'Kari', email: 'kari@example.test' }, lockerId } as const;
      const { id } = await admin.api('POST /occupations', { body });
      expect((await of())?.occupationId).toBe(id);
      // what else it is made of, each by itself: its use, its cabinet
      await set(`update occupations set overdue = true where id = '${id}'`);
      expect((await of())?.occupation?.overdue).toBe(true);
      await set(`update cabinets set connection = 'offline' where tenant_id = '${company.id}'`);
      expect(await of()).toMatchObject({ connection: 'offline', door: 'unknown' });
      await set(`update cabinets set connection = 'online' where tenant_id = '${company.id}'`);
      await admin.api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'Not needed' } });
      expect((await of())?.occupationId).toBeNull();
    });

    it('who asks for one gets that one, and another company none, also where all are kept', async () => {
      await page();
      const [first] = wall.lockers;
      const found = await admin.api('GET /lockers', { query: { limit: 50, q: { id: first?.id ?? '' } } });
      expect(found.map(({ id }) => id)).toEqual([first?.id]);
      const stranger = await (await testCompany(server)).person(['admin']);
      expect(await stranger.api('GET /lockers', { query: { limit: 50 } })).toEqual([]);
    });
  });
});
