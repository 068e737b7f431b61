import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let keeper: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  keeper = await ours.person(['admin']);
  stranger = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

const file = (content: string | Uint8Array) =>
  new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type: 'text/csv' });
const send = (content: string | Uint8Array, dryRun: boolean, who = keeper) =>
  who.api('POST /assets/import', { body: { dryRun }, file: file(content) });
const fates = async (content: string, who = keeper) => {
  const { rows } = await send(content, true, who);
  return rows.map((row) => [row.line, row.fate, ...row.problems.map(({ code }) => code), ...row.changes].join(' '));
};
const named = (name: string, who = keeper) => who.api('GET /assets', { query: { q: { name } } });

describe('a file of assets', () => {
  it('says each row’s fate, changes nothing in a dry run, and does as it said', async () => {
    const mark = unique();
    const group = await keeper.api('POST /asset-groups', { body: { name: `Tools ${mark}`, description: 'Tools' } });
    const old = await keeper.api('POST /assets', {
      body: { name: `Old ${mark}`, identifiers: [{ kind: 'ean', value: `E${mark}` }], data: { volts: 18 }, externalId: `X${mark}` },
    });
    const label = (await keeper.api('GET /statuslabels')).find(({ type }) => type === 'undeployable');
    const content = [
      'Name,External ID,identifier.EAN,Status label,Asset groups,volts,Colour',
      `New ${mark},N${mark},,${label?.name.toUpperCase()},tools ${mark},12,red`,
      `Old ${mark},,E${mark},,,18,`,
      `Renamed ${mark},X${mark},,,,,blue`,
      '',
      `"Two\nlines ${mark}",,,,,,`,
    ].join('\r\n');
    expect(await fates(content.replace(/\r\nRenamed[^\r]*/, ''))).toEqual(['2 made', '3 unchanged', '5 made']);
    // Two rows about one asset: the second is refused, and so is the whole file.
    expect(await fates(content)).toEqual(['2 made', '3 unchanged', '4 refused twice', '6 made']);
    expect(await refusal(send(content, false))).toEqual([422, 'import-refused']);
    expect(await named(`New ${mark}`)).toEqual([]);

    const good = content.replace(/\r\nOld[^\r]*/, '');
    const dry = await send(good, true);
    expect(dry).toMatchObject({ dryRun: true, made: 2, changed: 1, unchanged: 0, refused: 0 });
    expect(dry.columns).toContainEqual({ header: 'Colour', as: 'data.Colour' });
    expect(await named(`New ${mark}`)).toEqual([]);
    const done = await send(good, false);
    expect(done).toMatchObject({
      made: 2,
      changed: 1,
      rows: [{ fate: 'made' }, { fate: 'changed', assetId: old._id, changes: ['name', 'data'] }, {}],
    });
    const [made] = await named(`New ${mark}`);
    expect(made).toMatchObject({
      _id: done.rows[0]?.assetId,
      externalId: `N${mark}`,
      assetGroupIds: [group.id],
      statusLabelId: label?.id,
      data: { volts: '12', Colour: 'red' },
    });
    // An empty cell leaves what stands there, a number that reads the same stays a number.
    expect(await keeper.api('GET /assets/{id}', { params: { id: old._id } })).toMatchObject({
      name: `Renamed ${mark}`,
      version: 2,
      data: { volts: 18, Colour: 'blue' },
      identifiers: [{ kind: 'ean', value: `E${mark}` }],
    });
    expect(await fates(good)).toEqual(['2 unchanged', '3 unchanged', '5 made']);
    expect(await keeper.api('GET /assets', { query: { q: { identifier: `E${mark}` } } })).toHaveLength(1);
  });

  it('that was exported changes nothing, and a column of one kind takes no other identifier away', async () => {
    const mark = unique();
    const group = await keeper.api('POST /asset-groups', { body: { name: `Saws | drills ${mark}`, description: 'Tools' } });
    const identifiers = Array.from({ length: 20 }, (_, at) => ({ kind: 'a|b:c', value: `${'x'.repeat(180)}|\\${mark}${at}` }));
    const two = ['A', 'B'].map((value) => ({ kind: 'barcode', value: `${value}${mark}` }));
    await keeper.api('POST /assets', { body: { name: `Long ${mark}`, identifiers, assetGroupIds: [group.id] } });
    const { _id } = await keeper.api('POST /assets', { body: { name: `Two ${mark}`, identifiers: two } });
    const exported = await keeper.api('GET /exports/assets', { query: { q: { $text: mark } } });
    expect((await fates(await exported.text())).map((fate) => fate.replace(/^\d+ /, ''))).toEqual(['unchanged', 'unchanged']);
    expect(await fates(`Name,identifier.barcode\nTwo ${mark},B${mark}\n`)).toEqual(['2 unchanged']);
    await send(`ID,identifier.barcode\n${_id},C${mark}\n`, false);
    expect((await keeper.api('GET /assets/{id}', { params: { id: _id } })).identifiers).toEqual([
      ...two,
      { kind: 'barcode', value: `C${mark}` },
    ]);
  });

  it('is read with or without a byte order mark, with commas, semicolons or tabs, and with Norwegian heads', async () => {
    const mark = unique();
    for (const [at, separator] of [',', ';', '\t'].entries()) {
      const head = ['Navn', 'Ekstern ID', 'Identifikatorer'].join(separator);
      const row = [`"Bor ${separator} æøå"`, `'=${mark}${at}`, `tag:T${mark}${at} | ean:E${mark}${at}`].join(separator);
      for (const bom of ['\uFEFF', '']) await send(`${bom}${head}\n${row}\n`, false);
      const [asset] = await keeper.api('GET /assets', { query: { q: { externalId: `=${mark}${at}` } } });
      expect(asset).toMatchObject({
        name: `Bor ${separator} æøå`.replace(' \t ', ' '),
        version: 1,
        identifiers: [
          { kind: 'tag', value: `T${mark}${at}` },
          { kind: 'ean', value: `E${mark}${at}` },
        ],
      });
    }
  });

  it('refuses rows for a reason that is named', async () => {
    const mark = unique();
    const make = (name: string, value: string) =>
      keeper.api('POST /assets', { body: { name, externalId: value, identifiers: [{ kind: 'tag', value }] } });
    await make('A', `A${mark}`);
    const b = await make('B', `B${mark}`);
    const foreign = await stranger.api('POST /assets', { body: { name: 'Theirs', identifiers: [{ kind: 'tag', value: `S${mark}` }] } });
    const rows = {
      [`,,,,,,x${mark}`]: 'refused name-missing',
      [`${'n'.repeat(201)},,,,,,`]: 'refused too-long',
      'a\u0007b,,,,,,': 'refused characters',
      'x,,,,,,,,more': 'refused cells',
      'x,,,no such,,,': 'refused label-unknown',
      'x,,,,no such,,': 'refused group-unknown',
      [`x,A${mark},B${mark},,,,`]: 'refused ambiguous',
      'x,,,,,[],': 'refused data-not-object',
      'x,,,,,"{""a"":""\\u0000""}",': 'refused data-not-object',
      [`x,,,,,,,${foreign._id}`]: 'refused id-unknown',
      [`x,,,,,,,${crypto.randomUUID()}`]: 'refused id-unknown',
      'x,,,,,,,nonsense': 'refused id-unknown',
      [`x,,S${mark},,,,`]: 'made',
      [`again,,s${mark},,,,`]: 'refused twice',
      [`again,,S${mark},,,,`]: 'refused twice',
      [`B2,,,,,,,${b._id}`]: 'changed name',
    };
    const head = 'name,externalId,identifier.tag,statusLabel,assetGroups,data,colour,id';
    const said = await fates([head, ...Object.keys(rows)].join('\n'));
    expect(said).toEqual(Object.values(rows).map((fate, at) => `${at + 2} ${fate}`));
    expect(await fates(`name,identifiers\nx,tag:A${mark}|tag:\n`)).toEqual(['2 refused identifier-form']);
    expect(await fates(`name,data\nx,"{""x"":""${'x'.repeat(20_000)}""}"`)).toEqual(['2 refused too-long']);
    // B's row cannot take over what A carries.
    expect(await fates(`id,identifiers\n${b._id},tag:A${mark}`)).toEqual(['2 refused ambiguous']);
    expect((await stranger.api('GET /assets/{id}', { params: { id: foreign._id } })).version).toBe(1);
  });

  it.each([
    ['a number as the spreadsheet shows it', 'identifier.ean', '7,03801E+12'],
    ['the same in English', 'identifier.ean', '7.03801E+12'],
    ['the same among several', 'identifiers', 'serial:A1 | ean:7,03801E+12'],
    ['a number of somebody else’s system', 'externalId', '1E+15'],
    ['a name', 'name', '7,03801e+12'],
    ['a column too narrow', 'externalId', '########'],
    ['a date too early', 'Bought', '#####'],
    ['nothing found', 'Colour', '#N/A'],
    ['nothing found, in Norwegian', 'Colour', '#I/T'],
    ['a wrong value', 'Colour', '#VERDI!'],
    ['a reference that is gone', 'identifier.ean', '#REF!'],
    ['a division', 'data.volts', '#DIV/0!'],
    ['an error in German', 'Colour', '#BEZUG!'],
    ['nothing found, in German', 'Colour', '#NV'],
    ['an error in Swedish', 'Colour', '#VÄRDEFEL!'],
    ['nothing found, in Swedish', 'Colour', '#SAKNAS!'],
    ['a name in French', 'externalId', '#NOM?'],
    ['what is still fetched', 'Colour', '#GETTING_DATA'],
    ['what was blocked', 'Colour', '#BLOCKED!'],
    ['an error of LibreOffice', 'Colour', 'Err:508'],
    ['an error among several', 'identifiers', 'serial:A1 | ean:#NAVN?'],
    ['a number below zero', 'externalId', '-1,2E+15'],
    ['a very small one', 'externalId', '1,2E-07'],
    ['a number with its blank', 'identifier.ean', '7,03801E+12\u00a0'],
  ])('names what a spreadsheet made of a cell: %s', async (_what, header, cell) => {
    const named = header === 'name' ? [`name,Note`, `"${cell}",x`] : [`name,${header}`, `Drill,"${cell}"`];
    expect(await fates(named.join('\n'))).toEqual(['2 refused spreadsheet']);
  });

  it.each([
    ['a measure', 'data.volts', '1.5E+3'],
    ['a colour', 'Colour', '#1c6b3a'],
    ['a cry', 'Colour', '#hello!'],
    ['two number signs', 'Colour', '##'],
    ['a channel', 'Colour', '#NVX'],
    ['a part number', 'externalId', '1E-07-'],
    ['a word', 'Colour', 'Err: 5'],
    ['a number with its sign', 'externalId', '#17'],
    ['a serial number with an E', 'identifier.serial', '7E12'],
  ])('takes what only looks like it: %s', async (_what, header, cell) => {
    expect(await fates(`name,${header}\nDrill,"${cell}${unique().slice(0, header.startsWith('data') ? 0 : 4)}"`)).toEqual(['2 made']);
  });

  it('takes a text that a program wrote as a formula, so that a spreadsheet keeps its zeros, for that text', async () => {
    const mark = unique();
    await send(`name,identifier.ean,Note\nDrill ${mark},"=""00${mark}""","=""say """"hi"""""""\n`, false);
    await send(`name;externalId\nSaw ${mark};="007${mark}"\n`, false);
    expect(await named(`Drill ${mark}`)).toMatchObject([
      { identifiers: [{ kind: 'ean', value: `00${mark}` }], data: { Note: 'say "hi"' } },
    ]);
    expect(await named(`Saw ${mark}`)).toMatchObject([{ externalId: `007${mark}` }]);
  });

  it('reads the separator that a spreadsheet names in a line of its own, and counts its lines as they stand', async () => {
    for (const [sep, end] of [
      [';', '\r\n'],
      [',', '\n'],
      ['\t', '\n'],
      ['|', '\n'],
    ])
      // prettier-ignore
      expect(await fates([`sep=${sep}`, `name${sep}Note, with a comma`, `Drill${sep}x`, `${sep}y`].join(end).replace('Note, with', sep === ',' ? 'Note with' : 'Note, with'))).toEqual([
        '3 made',
        '4 refused name-missing',
      ]);
  });

  it('clears a field where a cell says so, and by an empty cell nothing', async () => {
    const mark = unique();
    const label = (await keeper.api('GET /statuslabels')).find(({ type }) => type === 'undeployable');
    const group = await keeper.api('POST /asset-groups', { body: { name: `Clear ${mark}`, description: 'x' } });
    const made = await keeper.api('POST /assets', {
      body: {
        name: `Clear ${mark}`,
        identifiers: [{ kind: 'ean', value: `E${mark}` }, { kind: 'serial', value: `S${mark}` }],
        data: { volts: 18, colour: 'red' },
        externalId: `X${mark}`,
        statusLabelId: label?.id ?? null,
        assetGroupIds: [group.id],
      },
    }); // prettier-ignore
    const row = (cells: string) => `id,externalId,identifier.serial,Status label,Asset groups,data.volts\n${made._id},${cells}`;
    expect(await fates(row(',,,,'))).toEqual(['2 unchanged']);
    await send(row('(empty),(EMPTY),(tom),(empty),(tom)'), false);
    expect(await keeper.api('GET /assets/{id}', { params: { id: made._id } })).toMatchObject({
      externalId: null,
      identifiers: [{ kind: 'ean', value: `E${mark}` }],
      statusLabelId: null,
      assetGroupIds: [],
      data: { colour: 'red' },
    });
    expect(await fates(`id,name\n${made._id},(empty)`)).toEqual(['2 refused name-missing']);
  });

  it('that is none is refused as a whole', async () => {
    for (const [what, content, file, value] of [
      ['nothing', '', 'empty', ''],
      ['no head', '\n\n', 'empty', ''],
      ['an open quote', 'name\n"abc', 'form', '2'],
      ['a column twice', 'name,Navn\na,b', 'column-twice', 'name'],
      ['Latin 1', new Uint8Array([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xe6]), 'encoding', ''],
      ['too many columns', Array.from({ length: 101 }, (_, at) => `c${at}`).join(','), 'columns', '100'],
      ['too many rows', `name\n${'x\n'.repeat(10_001)}`, 'rows', '10000'],
      // Parsed, each of these kept everybody else waiting for seconds.
      ['millions of empty cells in its head', `name${','.repeat(1_500_000)}`, 'cells', '1000000'],
      ['millions of empty cells in a row', `name\nx${','.repeat(1_500_000)}`, 'cells', '1000000'],
      ['a million empty cells in many rows', `name;x\n${`x${';'.repeat(700)}\n`.repeat(1_500)}`, 'cells', '1000000'],
    ] as const) {
      const told: unknown = await send(content, false).catch((error: unknown) => error);
      expect([what, told]).toMatchObject([what, { status: 422, problem: { code: 'rule', data: { file, value } } }]);
    }
    expect(await refusal(keeper.api('POST /assets/import', { body: {} }))).toEqual([400, 'malformed']);
    expect(await keeper.api('POST /assets/import', { body: { csv: 'name\nBy text', dryRun: true } })).toMatchObject({ made: 1 });
  });

  it('is for those who may write assets', async () => {
    const counter = await ours.person(['delivery_manager']);
    expect(await refusal(send('name\nx', true, counter))).toEqual([403, 'forbidden']);
  });

  it('waits for another file of its company, and for nobody else’s', async () => {
    const mark = unique();
    const other = new pg.Client({ connectionString: server.database.ownerUrl });
    await other.connect();
    await other.query(`select pg_advisory_lock(hashtextextended('${ours.id} import', 0))`);
    let done = false;
    const waiting = send(`name,externalId\nWaits,${mark}`, false).finally(() => (done = true));
    expect(await send(`name,externalId\nWaits,${mark}`, true)).toMatchObject({ made: 1 });
    expect(await send(`name,externalId\nWaits,${mark}`, false, stranger)).toMatchObject({ made: 1 });
    // Sent before both of those, it would be done by now.
    expect(done).toBe(false);
    await other.end();
    expect(await waiting).toMatchObject({ made: 1 });
  });

  it('of many rows is done at once, and twice at the same time makes nothing twice', async () => {
    const mark = unique();
    const rows = (count: number, name: string) =>
      ['name,externalId,identifier.tag', ...Array.from({ length: count }, (_, at) => `${name} ${at},${mark}-${at},${mark}-${at}`)].join(
        '\n',
      );
    // Whoever comes second finds what the first one made.
    const both = await Promise.all([send(rows(500, 'Thing'), false), send(rows(500, 'Thing'), false)]);
    expect(both.map(({ made, unchanged }) => `${made} made, ${unchanged} unchanged`).toSorted()).toEqual([
      '0 made, 500 unchanged',
      '500 made, 0 unchanged',
    ]);
    expect(await send(rows(1_500, 'Object'), false)).toMatchObject({ made: 1_000, changed: 500, unchanged: 0 });
    const page = await keeper.api.page('GET /assets', { query: { q: { $text: mark }, limit: 1, count: 'true' } });
    expect(page.total).toBe(1_500);
  });
});
