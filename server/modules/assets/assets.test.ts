import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../ids.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { query } from '../../db/test-database.ts';
import { testServer, type TestServer, unique } from '../../test-server.ts';
import { listen } from '../../live/test-listener.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let counter: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  counter = await ours.person(['delivery_manager']);
  stranger = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

const picture = async (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff', width = 1250, height = 100): Promise<Blob> => {
  const made = sharp({ create: { width, height, channels: 3, background: '#0b6b64' } });
  const bytes = await made
    .withExif({ IFD0: { Copyright: 'Ola Nordmann', Make: 'SecretCamera' } })
    .toFormat(format)
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' });
};
/** A small one whose head says that it is 8000 by 5001 points. */
const huge = async (): Promise<Uint8Array> => {
  const bytes = Buffer.from(await (await picture('png', 8, 8)).arrayBuffer());
  bytes.writeUInt32BE(8000, 16);
  bytes.writeUInt32BE(5001, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return new Uint8Array(bytes);
};
const image = async (id: string, size: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/v1/assets/${id}/image?size=${size}`, { headers: { authorization: `Bearer ${counter.token}`, ...headers } });

describe('assets', () => {
  // shows R7.30, R7.31, R7.33, R7.34, R7.35, R3.8
  it('are made, found by word and by identifier, changed by version and deleted', async () => {
    const made = await admin.api('POST /assets', {
      body: { name: 'Bosch drill 18V', data: { voltage: 18 }, identifiers: [{ kind: 'barcode', value: '7033-A/12' }] },
    });
    expect(made).toMatchObject({ name: 'Bosch drill 18V', version: 1, hasImage: false, data: { voltage: 18 }, source: 'local' });
    const find = (q: Record<string, unknown>) => counter.api('GET /assets', { query: { q } }).then((rows) => rows.map((row) => row._id));
    expect(await find({ $text: 'DRI bos' })).toEqual([made._id]);
    expect(await find({ $text: '7033' })).toEqual([made._id]);
    expect(await find({ $text: 'saw' })).toEqual([]);
    expect(await find({ identifier: '7033-A/12' })).toEqual([made._id]);
    expect(await find({ identifier: '7033-A' })).toEqual([]);
    expect(await find({ identifier: { $in: ['x', '7033-A/12'] } })).toEqual([made._id]);
    expect(await find({ identifier: { $ne: '7033-A/12' } })).toEqual([]);
    expect(await find({ identifier: null })).toEqual([]);
    expect(await refusal(counter.api('GET /assets', { query: { q: { identifier: { $gt: 'a' } } } }))).toEqual([400, 'malformed']);

    const changed = await admin.api('PUT /assets/{_id}', { params: { _id: made._id }, body: { name: 'Drill', version: 1 } });
    // What is not given is not lost.
    const { data, identifiers, statusLabelId } = made;
    expect(changed).toMatchObject({ name: 'Drill', version: 2, data, identifiers, statusLabelId });
    const stale = admin.api('PUT /assets/{_id}', { params: { _id: made._id }, body: { name: 'Older', version: 1 } });
    expect(await refusal(stale)).toEqual([409, 'stale']);
    await admin.api('DELETE /assets/{id}', { params: { id: made._id } });
    expect(await refusal(counter.api('GET /assets/{id}', { params: { id: made._id } }))).toEqual([404, 'not-found']);
  });

  it('carry no more data than a page of them can be read with', async () => {
    const save = (characters: number) =>
      admin.api('POST /assets', { body: { name: 'Full', data: { note: 'x'.repeat(characters - '{"note":""}'.length) } } });
    expect(Object.keys((await save(20_000)).data)).toEqual(['note']);
    expect(await refusal(save(20_001))).toEqual([400, 'malformed']);
  });

  it('keep every name and number in their data, or none of it', async () => {
    const sent = async (data: string) => {
      const body = `{"name":"Named","data":${data}}`;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` };
      const answer = await fetch(`${server.url}/v1/assets`, { method: 'POST', headers, body });
      return { status: answer.status, ...((await answer.json()) as { data: unknown; errors?: unknown }) };
    };
    const data = { constructor: '1', prototype: '2', toString: '3', inner: { constructor: '4' } };
    expect(await sent(JSON.stringify(data))).toMatchObject({ status: 200, data });
    // As programs write 0.1 and 2^53 - 1: nothing of these is lost.
    expect(await sent('{"a":0.10000000000000001,"b":9007199254740991,"c":1.20e003}')).toMatchObject({
      status: 200,
      data: { a: 0.1, b: 9_007_199_254_740_991, c: 1200 },
    });
    for (const [pointer, detail, unkept] of [
      ['/data', 'has a name that cannot be stored', '{"__proto__":1,"a":2}'],
      ['/data/a/0', 'has a name that cannot be stored', '{"a":[{"__proto__":{}}]}'],
      ['/data/a', 'is a number that cannot be stored', '{"a":1e999}'],
      ['/data/a/0', 'is a number that cannot be stored', '{"a":[-1e999]}'],
      ['/data/a/0', 'is a number that cannot be stored', '{"a":[12345678901234567890]}'],
    ] as const)
      expect(await sent(unkept)).toMatchObject({ status: 400, errors: [{ pointer, detail }] });
  });

  // Each way of writing one: domain/test/identifier.test.ts
  it('are one thing by whatever a scan of theirs is written as', async () => {
    const identifiers = [
      { kind: 'serial', value: 'INV-38260' },
      { kind: 'barcode', value: '036000291452' },
      { kind: 'EAN-13', value: '0036000291452' },
      { kind: 'EAN-8', value: '96385074' },
      { kind: 'Strek-kode', value: '7033000000017' },
    ];
    const made = await admin.api('POST /assets', { body: { name: 'One', identifiers } });
    expect(made.identifiers).toEqual(identifiers);
    for (const [kind, value] of [
      ['Serial', 'inv38260'],
      ['serial', 'ＩＮＶ－３８２６０'],
      ['ean', '036000291452'],
      ['barcode', '96385074'],
      ['GTIN-14', '00000096385074'],
      ['ｅａｎ', '70330000\u00ad00017'],
    ] as const)
      expect([
        value,
        await refusal(admin.api('POST /assets', { body: { name: 'Two', identifiers: [{ kind, value }] } })),
        (await counter.api('GET /assets', { query: { q: { identifier: value } } })).map(({ _id }) => _id),
      ]).toEqual([value, [409, 'identifier-taken'], [made._id]]);
    // What only looks alike is another: a number of another length, another kind, a sign that is not between the parts.
    for (const [kind, value] of [
      ['serial', '036000291452'],
      ['serial', 'INV.38260'],
      ['tag', '96385074'],
    ] as const) {
      const other = await admin.api('POST /assets', { body: { name: 'Another', identifiers: [{ kind, value }] } });
      await admin.api('DELETE /assets/{id}', { params: { id: other._id } });
    }
    const file = 'name,identifier.serial\nOne anew,inv 38260\n';
    const done = await admin.api('POST /assets/import', { body: { csv: file, dryRun: true } });
    expect(done.rows.map(({ fate, assetId }) => [fate, assetId])).toEqual([['changed', made._id]]);
    const kept = await admin.api('PUT /assets/{_id}', {
      params: { _id: made._id },
      body: { name: 'One', identifiers, version: made.version },
    });
    expect(kept.identifiers).toEqual(identifiers);
  });

  it('carry identifiers that nothing else of their kind carries', async () => {
    const body = {
      name: 'Carrier',
      identifiers: [
        { kind: 'Tag', value: 'T-1' },
        { kind: 'ean', value: 'T-1' },
      ],
      externalId: 'ERP-1',
    };
    const made = await admin.api('POST /assets', { body });
    expect(made).toMatchObject({ identifiers: body.identifiers, externalId: 'ERP-1', holder: null, dueAt: null });
    for (const wrong of [{ identifiers: [{ kind: 'TAG', value: 'T-1' }] }, { externalId: 'ERP-1' }])
      expect(await refusal(admin.api('POST /assets', { body: { name: 'Second', ...wrong } }))).toEqual([409, 'identifier-taken']);
    const twice = [
      { kind: 'tag', value: 'T-2' },
      { kind: 'Tag', value: 'T-2' },
    ];
    expect(await refusal(admin.api('POST /assets', { body: { name: 'Twice', identifiers: twice } }))).toEqual([422, 'rule']);
    expect(await counter.api('GET /assets', { query: { q: { $text: 'Second' } } })).toEqual([]);
    // Another company may have the same, and does not hear of ours.
    expect((await stranger.api('POST /assets', { body })).identifiers).toEqual(body.identifiers);
    // Its own are no hindrance to itself; what it gives up is free at once.
    const params = { _id: made._id };
    const kept = await admin.api('PUT /assets/{_id}', { params, body: { name: 'Carrier', identifiers: body.identifiers, version: 1 } });
    expect(kept).toMatchObject({ externalId: 'ERP-1', version: 2 });
    await admin.api('PUT /assets/{_id}', { params, body: { name: 'Carrier', identifiers: [], externalId: null, version: 2 } });
    const next = await admin.api('POST /assets', { body: { ...body, name: 'Next' } });
    expect(await counter.api('GET /assets', { query: { q: { identifier: 'T-1' } } })).toEqual([next]);
    await admin.api('DELETE /assets/{id}', { params: { id: next._id } });
    const racers = await Promise.allSettled(
      Array.from({ length: 4 }, () => admin.api('POST /assets', { body: { ...body, name: 'Racer' } })),
    );
    expect(racers.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });

  it('page by their names, however long those are in bytes', async () => {
    for (const letter of ['å', '箱', '"', '📦'])
      for (const end of ['aa', 'bb'])
        await stranger.api('POST /assets', { body: { name: letter.repeat(letter === '📦' ? 99 : 198) + end } });
    const from = async (sort: string, cursor: { cursor?: string }): Promise<string[]> => {
      const { rows, next } = await stranger.api.page('GET /assets', { query: { sort, limit: 1, ...cursor } });
      return [...rows.map(({ name }) => name), ...(next === null ? [] : await from(sort, { cursor: next }))];
    };
    for (const sort of ['name', '-name']) expect(new Set((await from(sort, {})).filter((name) => name.length > 100)).size).toBe(8);
  });

  // shows R7.34
  it('are changed by whoever knows their id and what is to be changed alone', async () => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Plain', data: { size: 3 } } });
    const params = { _id };
    expect(await admin.api('PUT /assets/{_id}', { params, body: { data: { size: 4 } } })).toMatchObject({
      name: 'Plain',
      data: { size: 4 },
    });
    expect(await admin.api('PUT /assets/{_id}', { params, body: {} })).toMatchObject({ name: 'Plain', data: { size: 4 }, version: 3 });
  });

  it('of two writers with the same version one wins', async () => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Contested' } });
    const write = (name: string) => admin.api('PUT /assets/{_id}', { params: { _id }, body: { name, version: 1 } });
    const answers = await Promise.allSettled([write('a'), write('b')]);
    expect(answers.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('name only status labels of their company', async () => {
    const [foreign] = await stranger.api('GET /statuslabels');
    for (const statusLabelId of [foreign?.id ?? '', newId()])
      expect(await refusal(admin.api('POST /assets', { body: { name: 'X', statusLabelId } }))).toEqual([422, 'unknown-reference']);
  });

  it('stay while they lie in a locker or are lent out', async () => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Held' } });
    const occupationId = newId();
    const lockerId = await aLocker();
    const insert = (stage: number) =>
      query(
        server.database.ownerUrl,
        `insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, asset_id, created_by, created_at, updated_at)
         values ($1, $2, 'lending', 'lending', $3, now(), $4, 'X', $5, '{}', now(), now())
         on conflict (tenant_id, id) do update set stage = excluded.stage`,
        [ours.id, occupationId, stage, lockerId, _id],
      );
    const remove = () => admin.api('DELETE /assets/{id}', { params: { id: _id } });
    await insert(2);
    expect(await refusal(remove())).toEqual([409, 'in-use-elsewhere']);
    await insert(98);
    await query(
      server.database.ownerUrl,
      `insert into loans (tenant_id, id, asset_id, occupation_id, out_at, due_at, created_at, updated_at)
       values ($1, $2, $3, $4, now(), now(), now(), now())`,
      [ours.id, newId(), _id, occupationId],
    );
    expect(await refusal(remove())).toEqual([409, 'in-use-elsewhere']);
    await query(server.database.ownerUrl, 'update loans set returned_at = now() where asset_id = $1', [_id]);
    await remove();
  });
});

describe('loans of an asset', () => {
  it('show its holder and due date, and who had it, to those who may see', async () => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Ladder' } });
    const lockerId = await aLocker();
    const made = await admin.api('POST /occupations', {
      body: { type: 'lending', lockerId, assetId: _id, receiver: { name: 'Ola Låner', tlf: '+4790000001' } },
    });
    const act = (action: 'fill' | 'publish' | 'finnish' | 'return') => admin.api('PUT /occupations', { body: { id: made.id, action } });
    await act('fill');
    await act('publish');
    await admin.api('PUT /occupations/assign', { body: { id: made.id, action: 'claim' } });
    const out = await act('finnish');
    const lent = await counter.api('GET /assets/{id}', { params: { id: _id } });
    expect(lent).toMatchObject({ version: 1, dueAt: out.dueAt, holder: null });
    expect((await admin.api('GET /assets/{id}', { params: { id: _id } })).holder).toMatchObject({
      name: 'Ola Låner',
      occupationId: made.id,
    });
    const which = async (q: Record<string, unknown>) => (await counter.api('GET /assets', { query: { q: { _id, ...q } } })).length;
    expect([await which({ lent: true }), await which({ lent: false }), await which({ dueAt: { $gt: '2020-01-01T00:00:00Z' } })]).toEqual([
      1, 0, 1,
    ]);
    expect(await refusal(admin.api('DELETE /assets/{id}', { params: { id: _id } }))).toEqual([409, 'in-use-elsewhere']);
    await act('return');
    expect(await counter.api('GET /assets/{id}', { params: { id: _id } })).toMatchObject({ holder: null, dueAt: null });

    const loansFor = (api: TestPerson['api']) => api('GET /assets/{id}/loans', { params: { id: _id } });
    // Who else may see it: “an asset that is in use”, below
    expect(await loansFor(admin.api)).toMatchObject([
      { assetId: _id, borrower: { name: 'Ola Låner', tlf: '+4790000001' }, endReason: 'returned', endedBy: { kind: 'person' } },
    ]);
    expect(await loansFor(counter.api)).toEqual([]);
  });
});

const aLocker = async (): Promise<string> => {
  const site = await admin.api('POST /sites', { body: { name: `Site ${newId()}` } });
  const doors = [{ doorTag: newId().slice(-12), compartment: 1, size: 'M' as const, height: 300 }];
  const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
  return cabinet.columns[0]?.doors[0]?.lockerId ?? '';
};

describe('pictures of assets', () => {
  // shows R7.32, R3.8
  it('come in as PNG, JPEG or WebP and go out as WebP at three widths, without what the camera wrote', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const made = await admin.api('POST /assets', { body: { name: `As ${format}` }, image: await picture(format) });
      expect(made.hasImage).toBe(true);
      for (const size of [96, 480, 1200]) {
        const answer = await image(made._id, String(size));
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: size });
        expect(bytes.includes('SecretCamera')).toBe(false);
        expect((await sharp(bytes).metadata()).exif).toBeUndefined();
      }
    }
  });

  it('are sent again only when they changed', async () => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Seen' }, image: await picture('png', 8, 8) });
    const etag = (await image(_id, '96')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const held of [etag, `"other", W/${etag}`, '*']) {
      const answer = await image(_id, '96', { 'if-none-match': held });
      expect([answer.status, await answer.text()]).toEqual([304, '']);
    }
    const changed = await admin.api('PUT /assets/{_id}', {
      params: { _id },
      body: { name: 'Seen', version: 1 },
      image: await picture('png', 300, 1200),
    });
    const answer = await image(_id, '480', { 'if-none-match': etag });
    expect(answer.status).toBe(200);
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ width: 240, height: 960 });
    // A change without a picture keeps it; the old one's rows are gone.
    await admin.api('PUT /assets/{_id}', { params: { _id }, body: { name: 'Kept', version: changed.version } });
    expect((await image(_id, '96')).status).toBe(200);
    const rows = await query<{ files: number }>(
      server.database.ownerUrl,
      `select count(*)::int as files from files f join assets a on a.image_file_id = f.id where a.id = $1`,
      [_id],
    );
    expect(rows[0]?.files).toBe(3);
    await admin.api('DELETE /assets/{id}', { params: { id: _id } });
    const left = await query<{ files: number }>(
      server.database.ownerUrl,
      `select count(*)::int as files from files f where not exists (select 1 from assets a where a.image_file_id = f.id)`,
    );
    expect(left[0]?.files).toBe(0);
  });

  const side = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: { r: 9, g: 90, b: 200, alpha: 0.5 } } }); // prettier-ignore
  const photo = (of = side(600, 300)) => of.jpeg().toBuffer();
  it.each([
    ['one for print (CMYK)', () => side(600, 300).removeAlpha().toColourspace('cmyk').jpeg().toBuffer(), 480, 240],
    ['one held upright', () => photo(side(600, 300).withMetadata({ orientation: 6 })), 300, 600],
    [
      'one with a film behind it',
      async () => Buffer.concat([await photo(), Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(50_000)]),
      480,
      240,
    ],
    ['one of 16 bits', () => side(600, 300).toColourspace('rgb16').png().toBuffer(), 480, 240],
    ['one point', () => side(1, 1).png().toBuffer(), 1, 1],
    ['a very wide one', () => side(9000, 3).png().toBuffer(), 480, 1],
  ] as const)('are read whatever wrote them: %s', async (_, bytes, width, height) => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Photo' }, image: new Blob([new Uint8Array(await bytes())]) });
    const answer = await image(_id, '480');
    expect(answer.status).toBe(200);
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width, height });
  });

  it.each([
    ['HEIC', Buffer.from('\0\0\0\x24ftypheic\0\0\0\0mif1heic')],
    ['AVIF', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1')],
    ['a page', Buffer.from('%PDF-1.7\n')],
    ['a web page', Buffer.from('<!doctype html><img src=x>')],
    ['a sound in the same box as WebP', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
  ])('are none where they are %s, which is said', async (_, bytes) => {
    const sent = admin.api('POST /assets', { body: { name: 'None' }, image: new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }) });
    expect(await refusal(sent)).toEqual([415, 'unsupported-media']);
  });

  it('are told by their bytes, whatever they call themselves', async () => {
    const post = async (bytes: Uint8Array | Blob, type = 'image/png') =>
      refusal(admin.api('POST /assets', { body: { name: 'Bad' }, image: new Blob([bytes as Blob], { type }) }));
    const text = (words: string) => new TextEncoder().encode(words);
    expect(await post(text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))).toEqual([415, 'unsupported-media']);
    expect(await post(text('GIF89a..'))).toEqual([415, 'unsupported-media']);
    expect(await post(new Uint8Array())).toEqual([415, 'unsupported-media']);
    expect(await post(await picture('tiff'))).toEqual([415, 'unsupported-media']);
    expect(await post(text('\u0089PNG'))).toEqual([415, 'unsupported-media']);
    const whole = new Uint8Array(await (await picture('png')).arrayBuffer());
    expect(await post(whole.slice(0, 60))).toEqual([422, 'image-unreadable']);
    const torn = new Uint8Array(await (await picture('jpeg')).arrayBuffer());
    expect(await post(torn.slice(0, torn.length >> 1))).toEqual([422, 'image-unreadable']);
    expect(await post(torn.map((byte, at) => (at > 20 && at % 7 === 0 ? byte ^ 0x55 : byte)))).toEqual([422, 'image-unreadable']);
    expect(await post(await huge())).toEqual([413, 'too-large']);
    // Each limit is named by what was passed.
    const told = async (parts: number, bytes: number) => {
      const form = new FormData();
      for (let at = 0; at < parts; at++) form.append('image', new Blob([new Uint8Array(bytes)]), 'x.png');
      const headers = { authorization: `Bearer ${admin.token}` };
      const answer = await fetch(`${server.url}/v1/assets`, { method: 'POST', headers, body: form });
      return [answer.status, ((await answer.json()) as { detail: string }).detail];
    };
    expect(await told(1, 5 * 1024 * 1024 + 1)).toEqual([413, 'A file may have 5 MB at most']);
    expect(await told(2, 8)).toEqual([413, 'One file is taken']);
    const many = await fetch(`${server.url}/v1/assets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=a' },
      body: `${'--a\r\ncontent-disposition: form-data; name="data"\r\n\r\n{}\r\n'.repeat(9)}--a--`,
    });
    expect([many.status, await many.json()]).toMatchObject([413, { detail: 'A form may have 6 parts at most' }]);
    expect(await counter.api('GET /assets', { query: { q: { $text: 'Bad' } } })).toEqual([]);
  });

  it('are taken off without the asset', async () => {
    const made = await admin.api('POST /assets', { body: { name: 'Undressed' }, image: await picture('png', 40, 40) });
    const params = { id: made._id };
    expect(await refusal(counter.api('DELETE /assets/{id}/image', { params }))).toEqual([403, 'forbidden']);
    expect(await refusal(stranger.api('DELETE /assets/{id}/image', { params }))).toEqual([404, 'not-found']);
    expect(await admin.api('DELETE /assets/{id}/image', { params })).toMatchObject({ hasImage: false, version: 2 });
    expect(await admin.api('DELETE /assets/{id}/image', { params })).toMatchObject({ hasImage: false, version: 2 });
    expect((await image(made._id, '96')).status).toBe(404);
  });

  it('are absent for assets without one, and of another company', async () => {
    const { _id } = await admin.api('POST /assets', { body: { name: 'Bare' } });
    expect((await image(_id, '96')).status).toBe(404);
    const seen = await admin.api('POST /assets', { body: { name: 'Ours' }, image: await picture('webp', 8, 8) });
    const foreign = await fetch(`${server.url}/v1/assets/${seen._id}/image`, { headers: { authorization: `Bearer ${stranger.token}` } });
    expect(foreign.status).toBe(404);
    expect((await image(seen._id, '97')).status).toBe(400);
  });
});

describe('what an asset is labelled', () => {
  let ours: TestCompany;
  let keeper: TestPerson;
  /** Of a company where nobody else makes or changes one. */
  let fresh: TestCompany;
  let api: TestPerson['api'];
  beforeAll(async () => {
    ours = await testCompany(server);
    keeper = await ours.person(['asset_manager']);
    fresh = await testCompany(server);
    ({ api } = await fresh.person(['admin']));
  });

  type Input = {
    name?: string;
    type?: 'deployable' | 'pending' | 'undeployable' | 'archived';
    default_label?: boolean;
    color?: string | null;
  };
  const make = (more: Input = {}) => keeper.api('POST /statuslabels', { body: { name: `Label ${unique()}`, type: 'deployable', ...more } });
  const put = async (id: string, more: Input, who = keeper) => {
    const version = (await list()).find((label) => label.id === id)?.version ?? 0;
    return who.api('PUT /statuslabels/{id}', { params: { id }, body: { name: `Label ${unique()}`, type: 'deployable', version, ...more } });
  };
  const remove = (id: string, who = keeper) => who.api('DELETE /statuslabels/{id}', { params: { id } });
  const list = () => keeper.api('GET /statuslabels');

  describe('status labels', () => {
    // shows R3.19, R7.53
    it('begin as four, of which new assets get the first, and are made, changed and deleted', async () => {
      expect((await list()).map((one) => one.type).toSorted()).toEqual(['archived', 'deployable', 'pending', 'undeployable']);
      const asset = await keeper.api('POST /assets', { body: { name: 'New' } });
      expect((await list())[0]).toMatchObject({ id: asset.statusLabelId, default_label: true, type: 'deployable', assets_count: 1 });
      const made = await make({ color: '#0b6b64' });
      expect(made).toMatchObject({ color: '#0b6b64', assets_count: 0, default_label: false, show_in_nav: false, notes: '' });
      // What is not given stays as it was.
      expect(await put(made.id, { type: 'pending' })).toMatchObject({ type: 'pending', color: '#0b6b64' });
      expect(await put(made.id, { color: null })).toMatchObject({ color: null });
      await remove(made.id);
      expect((await list()).map((one) => one.id)).not.toContain(made.id);
      expect(await refusal(remove(made.id))).toEqual([404, 'not-found']);
    });

    it('are in the company’s language, and go on to another with it as long as they bear their first names', async () => {
      const names = async () => (await api('GET /statuslabels')).map(({ name }) => name).toSorted();
      const speak = async (locale: 'en' | 'nb') => {
        const { version } = await api('GET /companies/{tenant}');
        await api('PUT /companies/{tenant}', { body: { locale, version } });
      };
      // Read any number of times they are the same four.
      for (let looks = 0; looks < 2; looks++) expect(await names()).toEqual(['Arkivert', 'Klar', 'Til reparasjon', 'Venter']);
      const of = async (name: string) => (await api('GET /statuslabels')).find((label) => label.name === name)!;
      const { id, version } = await of('Venter');
      await api('PUT /statuslabels/{id}', { params: { id }, body: { name: 'På verkstedet', type: 'pending', version } });
      await api('POST /statuslabels', { body: { name: 'archived', type: 'archived' } });
      const ready = await of('Klar');
      await speak('en');
      expect(await names()).toEqual(['Arkivert', 'In repair', 'På verkstedet', 'Ready', 'archived']);
      expect(await of('Ready')).toMatchObject({ id: ready.id, default_label: true, version: ready.version + 1 });
      await speak('nb');
      expect(await names()).toEqual(['Arkivert', 'Klar', 'På verkstedet', 'Til reparasjon', 'archived']);
    });

    it('have one default at most, also when two are chosen at once', async () => {
      const [a, b] = [await make(), await make()];
      // Whichever comes second makes the first another one: that is no conflict of its own row.
      await Promise.all([put(a.id, { default_label: true }), put(b.id, { default_label: true })]);
      expect((await list()).filter((one) => one.default_label)).toHaveLength(1);
      await put(b.id, { default_label: true });
      const asset = await keeper.api('POST /assets', { body: { name: 'Thing' } });
      expect(asset.statusLabelId).toBe(b.id);
    });

    it('have names of their own, whatever the case', async () => {
      const { name } = await make();
      expect(await refusal(make({ name: name.toUpperCase() }))).toEqual([409, 'name-taken']);
      expect(await refusal(make({ color: 'red' }))).toEqual([400, 'malformed']);
    });

    it('stay while an asset carries them', async () => {
      const label = await make();
      const asset = await keeper.api('POST /assets', { body: { name: 'Ladder', statusLabelId: label.id } });
      expect((await list()).find((one) => one.id === label.id)?.assets_count).toBe(1);
      expect(await refusal(remove(label.id))).toEqual([409, 'in-use-elsewhere']);
      await keeper.api('DELETE /assets/{id}', { params: { id: asset._id } });
      await remove(label.id);
    });

    it('stay while new assets get them, and the last one stays; none is made by looking', async () => {
      const labels = await api('GET /statuslabels');
      const [standard] = labels.filter((label) => label.default_label);
      if (!standard) throw new Error('no default');
      const gone = () => api('DELETE /statuslabels/{id}', { params: { id: standard.id } });
      expect(await refusal(gone())).toEqual([409, 'in-use-elsewhere']);
      expect((await api('POST /assets', { body: { name: 'Made meanwhile', externalId: 'm' } })).statusLabelId).toBe(standard.id);
      const next = labels.find(({ type }) => type === 'undeployable')!;
      const { version } = next;
      await api('PUT /statuslabels/{id}', {
        params: { id: next.id },
        body: { name: next.name, type: next.type, default_label: true, version },
      });
      const made = await api('GET /assets', { query: { q: { externalId: 'm' } } });
      await api('DELETE /assets/{id}', { params: { id: made[0]?._id ?? '' } });
      await gone();
      const { _id } = await api('POST /assets', { body: { name: 'Made since' } });
      expect((await api('GET /assets/{id}', { params: { id: _id } })).statusLabelId).toBe(next.id);
      await api('DELETE /assets/{id}', { params: { id: _id } });
      // The last one stays; and where there is none at all, as of a company that an outside provider alone knows, a look makes none.
      for (const { id } of (await api('GET /statuslabels')).filter((label) => label.id !== next.id))
        await api('DELETE /statuslabels/{id}', { params: { id } });
      expect(await refusal(api('DELETE /statuslabels/{id}', { params: { id: next.id } }))).toEqual([422, 'rule']);
      await query(server.database.ownerUrl, 'delete from status_labels where tenant_id = $1', [fresh.id]);
      expect(await api('GET /statuslabels')).toEqual([]);
      expect(await query(server.database.ownerUrl, 'select from status_labels where tenant_id = $1', [fresh.id])).toEqual([]);
    });

    it('let out only what is deployable', async () => {
      const label = await make({ type: 'undeployable' });
      const admin = await ours.person(['admin']);
      const place = await admin.api('POST /sites', { body: { name: unique() } });
      const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
      const cabinet = await admin.api('POST /cabinets', { body: { siteId: place.id, name: 'Wall', columns: [{ width: 400, doors }] } });
      const asset = await admin.api('POST /assets', { body: { name: 'Drill', statusLabelId: label.id } });
      const lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
      await admin.api('PUT /lockers/{id}/content', { params: { id: lockerId }, body: { content: 'empty' } });
      const lend = () => admin.api('POST /occupations', { body: { type: 'lending', lockerId, assetId: asset._id } });
      expect(await refusal(lend())).toEqual([409, 'not-lendable']);
      await put(label.id, { type: 'deployable' });
      expect(await lend()).toMatchObject({ stageName: 'RESERVED' });
    });
  });
});

// Who is told who has a thing: whoever sees its loan, and nobody by another way round.
describe('an asset that is in use', () => {
  const BORROWER = 'Ola Låner';
  let ours: TestCompany;
  let admin: TestPerson;
  let assetId: string;
  let told: [string, TestPerson][];
  let untold: [string, TestPerson][];

  const aLocker = async (): Promise<string> => {
    const site = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
    const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    return cabinet.columns[0]?.doors[0]?.lockerId ?? '';
  };
  beforeAll(async () => {
    ours = await testCompany(server);
    admin = await ours.person(['admin']);
    const [here, there] = [await aLocker(), await aLocker()];
    assetId = (await admin.api('POST /assets', { body: { name: 'Ladder' } }))._id;
    const { id } = await admin.api('POST /occupations', {
      body: { type: 'lending', lockerId: here, assetId, receiver: { name: BORROWER, tlf: '+4790000001' } },
    });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    await admin.api('PUT /occupations/assign', { body: { id, action: 'claim' } });
    await admin.api('PUT /occupations', { body: { id, action: 'finnish' } });
    told = [
      ['an admin', admin],
      ['who lends', await ours.person(['lending_manager'])],
      ['who keeps the assets', await ours.person(['asset_manager'])],
      ['a scope on its locker', await ours.scoped(['lending'], [here])],
    ];
    untold = [
      ['a service role of another kind', await ours.person(['delivery_manager'])],
      ['a scope on another locker', await ours.scoped(['lending', 'manage'], [there])],
    ];
  });

  const everywhere = async ({ api }: TestPerson): Promise<string[]> => [
    JSON.stringify(await api('GET /assets')),
    JSON.stringify(await api('GET /assets/{id}', { params: { id: assetId } })),
    JSON.stringify(await api('GET /assets/{id}/loans', { params: { id: assetId } })),
    await (await api('GET /exports/assets')).text(),
  ];

  describe('what is in use', () => {
    it('is told to be so to whoever may not see by what, goods apart, and no longer once that has ended', async () => {
      const clerk = untold[0]![1];
      const made = async (type: 'lending' | 'sale') => {
        const { _id } = await admin.api('POST /assets', { body: { name: `Thing ${unique()}` } });
        const price = type === 'sale' ? { price: { amount: 100, currency: 'NOK' } } : {};
        const { id } = await admin.api('POST /occupations', { body: { type, lockerId: await aLocker(), assetId: _id, ...price } });
        return { asset: _id, id };
      };
      const [lent, sold] = [await made('lending'), await made('sale')];
      const { _id: idle } = await admin.api('POST /assets', { body: { name: 'Idle' } });
      const among = { _id: { $in: [lent.asset, sold.asset, idle] } };
      const found = async (q: Record<string, unknown>) =>
        new Set((await clerk.api('GET /assets', { query: { q: { ...among, ...q } } })).map(({ _id }) => _id));
      expect(await clerk.api('GET /occupations', { query: { q: { assetId: lent.asset } } })).toEqual([]);
      expect(await found({ inUse: true })).toEqual(new Set([lent.asset, sold.asset]));
      expect(await found({ inUse: false })).toEqual(new Set([idle]));
      expect(await found({ inUseAlone: true })).toEqual(new Set([lent.asset]));
      await admin.api('DELETE /occupations/{id}', { params: { id: lent.id }, body: {} });
      expect(await found({ inUse: true })).toEqual(new Set([sold.asset]));
    });
  });

  describe('who has a thing', () => {
    it('is told by lists, by the row and by files to whoever sees the loan', async () => {
      for (const [who, person] of told)
        expect([who, (await everywhere(person)).map((text) => text.includes(BORROWER))]).toEqual([who, [true, true, true, true]]);
    });

    it('is told by none of them to anybody else, who hears that it is out and until when', async () => {
      for (const [who, person] of untold) {
        expect([who, (await everywhere(person)).map((text) => text.includes(BORROWER))]).toEqual([who, [false, false, false, false]]);
        const asset = await person.api('GET /assets/{id}', { params: { id: assetId } });
        expect([who, asset.holder, Date.parse(asset.dueAt ?? '')]).toEqual([who, null, expect.any(Number)]);
        expect(await person.api('GET /assets', { query: { q: { lent: true } } })).toMatchObject([{ _id: assetId, holder: null }]);
      }
    });

    it('is told live to the same people', async () => {
      const listeners = await Promise.all([...told, ...untold].map(([, person]) => listen(server.url, person.token)));
      for (const listener of listeners) expect(await listener.ask({ topic: 'subscribe', event: 'assets' })).toBeNull();
      const { version } = await admin.api('GET /assets/{id}', { params: { id: assetId } });
      await admin.api('PUT /assets/{_id}', { params: { _id: assetId }, body: { version, name: 'Long ladder' } });
      for (const [at, listener] of listeners.entries()) {
        await expect.poll(() => listener.events.length).toBe(1);
        expect([at, listener.events[0]?.data]).toMatchObject([
          at,
          { name: 'Long ladder', holder: at < told.length ? { name: BORROWER } : null },
        ]);
        listener.close();
      }
    });
  });
});
