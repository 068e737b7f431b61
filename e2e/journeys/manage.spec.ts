import { messagesTo } from '../company.ts';
import { once, someNumber, waiting } from '../counter.ts';
import { expect, test } from '../services.ts';

test('found by what is typed at once, a door is named before anybody is let in; its time is extended, its receiver corrected, and what has ended is delivered again; who says that it was taken as the clock says so too is not refused, and who ends or aborts behind an open door reads to shut it', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
  counter,
  hands,
}) => {
  const cabinet = await company.cabinet({ doors: 6 });
  const [lot, other, late, taken, ended, last] = cabinet.lockers;
  if (!lot || !other || !late || !taken || !ended || !last) throw new Error('no locker');
  const { api } = company.admin;
  const [wall] = await api('GET /cabinets');
  const made = await waiting(company, lot, { name: 'Ingrid Solberg', tlf: someNumber() });
  await api('PUT /occupations', { body: { id: made.id, action: 'publish' } });
  const stands = async () => {
    const { door } = await api('GET /lockers/{id}', { params: { id: lot.id } });
    const { stageName } = await api('GET /occupations/{id}', { params: { id: made.id } });
    return { door, stageName };
  };

  await test.step('the field has the focus; a finger gets no keyboard unasked', async () => {
    await enter(company.admin.email, '/portal/services/manageoccupation');
    const field = counter.field(say('codeOrTag'));
    if (hands === 'touch') await act.write(field, lot.doorTag);
    else {
      await expect(field).toBeFocused();
      await page.keyboard.type(lot.doorTag);
    }
    await page.keyboard.press('Enter');
    await expect(counter.button(say('letInToTake'))).toBeVisible();
  });

  await test.step('the next one is typed or scanned over it, however one came to the field', async () => {
    const field = counter.field(say('codeOrTag'));
    await page.keyboard.type(other.doorTag);
    await page.keyboard.press('Enter');
    await expect(page.getByText(say('noneRuns', { text: other.doorTag }))).toBeVisible();
    await field.blur();
    await act.press(field);
    await page.keyboard.type(lot.doorTag);
    await page.keyboard.press('Enter');
    await expect(counter.button(say('letInToTake'))).toBeVisible();
  });

  await test.step('what it was found by, often a code that opens, stands in no address', async () => {
    expect(new URL(page.url()).search).toBe(`?id=${made.id}`);
  });

  const asked = page.getByRole('dialog');
  await test.step('asked to let somebody in, it says which door and where, and opens nothing yet', async () => {
    await act.press(counter.button(say('letInToTake')));
    await expect(asked).toContainText(
      say('atPlace', { tag: lot.doorTag, cabinet: wall?.name ?? 'no cabinet', site: wall?.siteName ?? 'no site' }),
    );
    await expect(asked).toContainText('Ingrid Solberg');
    await act.press(asked.getByRole('button', { name: say('cancel'), exact: true }));
    await expect(asked).toBeHidden();
    expect(await stands()).toEqual({ door: 'closed', stageName: 'ACQUIRABLE' });
  });

  await test.step('and opens by its name', async () => {
    await counter.letIn('letInToTake', lot);
    await expect.poll(stands).toEqual({ door: 'opened', stageName: 'CLAIMING' });
  });

  await test.step('an address without any occupation behind it is told so in one sentence', async () => {
    for (const id of ['garbage', crypto.randomUUID()]) {
      await counter.go(`/services/manageoccupation?id=${id}`);
      await expect(page.getByRole('heading', { level: 2, name: say('noSuchOccupation') })).toBeVisible();
      await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
      await expect(page.getByRole('main').getByText(say('detailsOfIt'), { exact: true })).toHaveCount(0);
    }
  });

  await test.step('taken', async () => {
    const { id } = await waiting(company, taken, { name: 'Ingrid Solberg', tlf: someNumber() });
    await api('PUT /occupations', { body: { action: 'send', id } });
    await once(async () => void (await api('PUT /occupations/assign', { body: { action: 'claim', id } })));
    await counter.go(`/services/manageoccupation?id=${id}`);
    await page.route('**/v1/occupations', async (route) => {
      if (route.request().method() === 'PUT') await api('PUT /occupations', { body: { action: 'finnish', id } });
      return route.fallback();
    });
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.status() === 409);
    await act.press(counter.button(say('wasTaken')));
    await act.press(asked.getByRole('button', { name: say('wasTaken'), exact: true }));
    await answered;
    await expect(page.getByText(say('countsAsTakenOut', { tag: taken.doorTag }))).toBeVisible();
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
    await page.unroute('**/v1/occupations');
  });

  await test.step('ended', async () => {
    const { id } = await api('POST /occupations/delivery', { body: { lockerId: ended.id, assetText: 'Parcel 78', fill: true } });
    await counter.go(`/services/manageoccupation?id=${id}`);
    const warning = asked.getByText(say('nobodyBeforeShut', { tag: ended.doorTag }));
    await act.press(counter.button(say('endUnopened')));
    await expect(asked).toBeVisible();
    await expect(warning).toHaveCount(0);
    await cabinet.virtual.act({ do: 'force', door: ended.compartment });
    await expect(warning).toBeVisible();
    await act.press(asked.getByRole('button', { name: say('endUnopened'), exact: true }));
    await expect.poll(async () => (await api('GET /occupations/{id}', { params: { id } })).stageName).toBe('TERMINATED');
  });

  await test.step('aborted', async () => {
    const { doorTag } = last;
    const { id } = await api('POST /occupations', {
      body: { type: 'delivery', lockerId: last.id, assetText: 'Parcel 77', receiver: { name: 'Ingrid Solberg', tlf: someNumber() } },
    });
    await api('POST /lockers/{id}/open', { params: { id: last.id }, body: { doorTag, occupationId: id } });
    await counter.go('/services/delivery');
    await act.press(page.getByRole('button', { name: doorTag }));
    await expect(counter.heading(say('isOpen', { tag: doorTag }))).toBeVisible();
    await act.press(counter.button(say('abortDelivery')));
    const close = asked.getByText(say('takeOutAndClose', { tag: doorTag }));
    await expect(close).toBeVisible();
    const abort = asked.getByRole('button', { name: say('abortDelivery'), exact: true });
    await test.step('what is filled by somebody else as it is pressed is not ended unseen', async () => {
      const record = `**/v1/occupations/${id}`;
      await page.route(record, async (route) => {
        if (route.request().method() !== 'DELETE') return route.fallback();
        await api('PUT /occupations', { body: { action: 'fill', id } });
        return route.continue();
      });
      await act.press(abort);
      await expect(asked.getByRole('alert')).toContainText(say('nothingDone'));
      await page.unroute(record);
      expect((await api('GET /occupations', { query: { q: { lockerId: last.id } } })).map(({ stageName }) => stageName)).toEqual([
        'FILLED',
      ]);
    });
    await act.press(abort);
    await expect(page.getByRole('heading', { level: 1, name: say('dashboard') })).toBeVisible();
    await expect
      .poll(async () => await api('GET /lockers/{id}', { params: { id: last.id } }))
      .toMatchObject({ occupationId: null, inDoubt: true });
  });

  await test.step('one that waits for its receiver', async () => {
    const mail = `right-${company.id.slice(0, 8)}@e2e.test`;
    const { id } = await waiting(company, late, { name: 'Ingrid Solberg', email: `wrong-${mail}` });
    await api('PUT /occupations', { body: { id, action: 'send' } });
    await messagesTo(hatchway.origin, `wrong-${mail}`);
    const now = () => api('GET /occupations/{id}', { params: { id } });
    const before = await now();
    await counter.go(`/services/manageoccupation?id=${id}`);
    const save = asked.getByRole('button', { name: say('save'), exact: true });

    await test.step('two days more, which is said to be a closed day before it is saved, and after', async () => {
      const [site] = await api('GET /sites');
      const [day] = new Date(Date.parse(before.pickupBy ?? '') + 48 * 3_600_000)
        .toLocaleString('sv-SE', { timeZone: 'Europe/Oslo' })
        .split(' ');
      const closed = say('occupations.manage.closedDay', { site: site?.name ?? '' });
      await api('PUT /sites/{id}', {
        params: { id: site?.id ?? '' },
        body: { name: site?.name ?? '', version: site?.version ?? 0, closedDays: [day ?? ''] },
      });
      await act.press(counter.button(say('extend')));
      await expect(page.getByText(closed)).toBeHidden();
      await asked.getByRole('radio', { name: say('occupations.manage.extendDays', { count: '2' }), exact: true }).focus();
      await page.keyboard.press('Space');
      await expect(asked.getByText(closed)).toBeVisible();
      await act.press(save);
      await expect(asked).toBeHidden();
      await expect(page.getByText(closed)).toBeVisible();
      expect(Date.parse((await now()).pickupBy ?? '') - Date.parse(before.pickupBy ?? '')).toBe(48 * 3_600_000);
    });

    await test.step('an address that is none is refused beside its field; the right one is saved, and told on a word', async () => {
      await act.press(counter.button(say('correctReceiver')));
      const field = asked.getByRole('textbox', { name: say('email'), exact: true }).or(asked.getByRole('combobox', { name: say('email'), exact: true })); // prettier-ignore
      await field.fill('nowhere');
      await act.press(save);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      expect((await now()).receiver?.email).toBe(`wrong-${mail}`);
      await field.fill(mail);
      await act.press(save);
      await expect(asked).toBeHidden();
      await expect(page.getByText(say('newAddressKnowsNothing'))).toBeVisible();
      await act.press(counter.button(say('sendAgain')));
      // nobody is told twice by a press beside the one that was meant
      await expect(asked).toContainText(mail);
      await expect(asked).toContainText(say('sentAnew'));
      expect(await messagesTo(hatchway.origin, mail, { least: 0 })).toHaveLength(0);
      await act.press(asked.getByRole('button', { name: say('sendIt'), exact: true }));
      await expect(page.getByText(say('onItsWayAgain'))).toBeVisible();
      expect((await messagesTo(hatchway.origin, mail))[0]?.text).toContain('Ingrid Solberg');
      await expect(page.getByText(say('newAddressKnowsNothing'))).toBeHidden();
    });

    await test.step('told, it is the same link and code that go out again', async () => {
      await act.press(counter.button(say('sendAgain')));
      await expect(asked).toContainText(say('sentTheSame'));
      await page.keyboard.press('Escape');
      await expect(asked).toBeHidden();
    });

    await test.step('it says until which minute, and the address stands in one piece', async () => {
      const facts = page.getByRole('complementary');
      const until = (await now()).pickupBy ?? '';
      await expect(facts.locator(`time[datetime="${until}"]`)).toHaveText(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/);
      // where it does not fit into the line, it is parted before its @ alone
      const [before] = mail.split('@');
      const lines = await facts.getByText(mail, { exact: true }).evaluate((part, length) => {
        const page = part.ownerDocument;
        const text = page.createTreeWalker(part, 4 /* texts */).nextNode();
        const range = page.createRange();
        if (text === null) return 0;
        range.setStart(text, 0);
        range.setEnd(text, length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }, before?.length ?? 0);
      expect(lines).toBe(1);
    });

    await test.step('ended, the same goes out again to the same person', async () => {
      await api('DELETE /occupations/{id}', { params: { id }, body: {} });
      await act.press(counter.button(say('deliverAgain')));
      await expect(page.getByRole('heading', { level: 1, name: say('delivery') })).toBeVisible();
      // what, how large and for whom is known: the door alone is left to choose
      await expect(page.getByRole('radio', { name: 'M', exact: true })).toBeChecked();
      await counter.next();
      for (const words of ['Parcel 77', 'Ingrid Solberg', mail]) await expect(page.getByRole('main')).toContainText(words);
    });
  });

  await test.step('whose service is another, is told that the door is taken, and where what has ended stands', async () => {
    const lender = await company.person(['lending_manager']);
    await page.context().clearCookies();
    await enter(lender.email, '/portal/services/manageoccupation');
    await counter.field(say('codeOrTag')).fill(lot.doorTag);
    await page.keyboard.press('Enter');
    await expect(counter.heading(say('othersDoor', { tag: lot.doorTag }))).toBeVisible();
    await act.press(page.getByRole('main').getByRole('link', { name: say('endedOnes'), exact: true }));
    await expect(page).toHaveURL(new RegExp(`/manage/occupations\\?.*view=ended.*${lot.doorTag}`));
  });
});

test('occupations are filtered, called ready only while nobody doubts it, and several are notified, taken out and ended at once', async ({
  page,
  hatchway,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const { lockers } = await company.wall({ doors: 3 });
  const [one, two, third] = lockers;
  if (!one || !two || !third) throw new Error('no locker');
  const { api } = company.admin;
  const mails = [1, 2].map((n) => `r${n}-${company.id.slice(0, 8)}@e2e.test`);
  const made = [
    await waiting(company, one, { name: 'Ingrid Solberg', email: mails[0] ?? '' }),
    await waiting(company, two, { name: 'Ola Nordmann', email: mails[1] ?? '' }),
    await api('POST /occupations', { body: { type: 'storage', lockerId: third.id, assetText: 'Skis' } }),
  ];
  const stages = async () => Promise.all(made.map(async ({ id }) => (await api('GET /occupations/{id}', { params: { id } })).stageName));
  await enter(company.admin.email, '/portal/manage/occupations');
  const row = ({ doorTag }: { doorTag: string }) => page.getByRole('row').filter({ hasText: doorTag });
  const filters = page.locator('summary').filter({ hasText: say('filters') });
  const tick = async (...doors: { doorTag: string }[]) => {
    for (const { doorTag } of doors) await page.getByRole('checkbox', { name: say('selectThis', { name: doorTag }), exact: true }).check();
  };
  const doToThem = async (word: 'notify' | 'takeOutKeep' | 'endThem') => {
    await act.press(page.getByRole('button', { name: say(word), exact: true }));
    await act.press(page.getByRole('dialog').getByRole('button', { name: say(word), exact: true }));
    await expect(page.getByRole('dialog')).toBeHidden();
  };

  await test.step('what lies in a locker that is to be checked is not called ready on the board or in the list, as long as nobody has looked', async () => {
    const look = (content: 'empty' | 'occupied') => api('PUT /lockers/{id}/content', { params: { id: one.id }, body: { content } });
    const badge = page.getByRole('main').getByText(say('toBeChecked'), { exact: true });
    for (const path of ['/manage/occupations?look=board', '/manage/occupations?look=list']) {
      await go(path);
      await expect(page.getByRole('main').getByText('Ingrid Solberg').first()).toBeVisible();
      await expect(badge).toHaveCount(0);
      await look('empty');
      await expect(badge.first()).toBeVisible();
      await look('occupied');
      await expect(badge).toHaveCount(0);
    }
  });

  await test.step('a word, a type and a stage each narrow the list; cleared, all of it stands there again', async () => {
    await expect(row(one)).toBeVisible();
    // a small screen keeps them behind a word
    if (await filters.isVisible()) await act.press(filters);
    await page.getByRole('searchbox', { name: say('searchOccupations') }).fill('Solberg');
    await expect(row(two)).toBeHidden();
    await expect(row(one)).toBeVisible();
    await page.getByRole('combobox', { name: say('type'), exact: true }).selectOption({ label: say('storage') });
    await expect(page.getByText(say('noMatch'))).toBeVisible();
    await act.press(page.getByRole('button', { name: say('clearFilters'), exact: true }));
    for (const each of [one, two, third]) await expect(row(each)).toBeVisible();
    await page.getByRole('combobox', { name: say('stage'), exact: true }).selectOption({ label: say('reservedStage') });
    await expect(row(one)).toBeHidden();
    await expect(row(third)).toBeVisible();
    await page.getByRole('combobox', { name: say('stage'), exact: true }).selectOption({ label: say('anyStage') });
    await expect(row(one)).toBeVisible();
  });

  await test.step('told at once, each receiver gets a message; who has no receiver is refused and named', async () => {
    await tick(one, two, third);
    const left = page.getByRole('group').filter({ hasText: say('notDoneOnes') });
    // Done, but its answer is lost on the way: nothing is claimed of any, and pressed again it is done once.
    await page.route(
      '**/v1/occupations/bulk',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await doToThem('notify');
    for (const each of [one, two, third]) await expect(left).toContainText(`${each.doorTag}: ${say('noAnswerCame')}`);
    await expect.poll(stages).toEqual(['CONTACTED', 'CONTACTED', 'RESERVED']);
    await doToThem('notify');
    await expect(left).not.toContainText(say('noAnswerCame'));
    await expect(left).toContainText(third.doorTag);
    await expect(left).not.toContainText(one.doorTag);
    for (const mail of mails) expect(await messagesTo(hatchway.origin, mail)).toHaveLength(1);
    await expect.poll(stages).toEqual(['CONTACTED', 'CONTACTED', 'RESERVED']);
  });

  await test.step('taken out, both lockers stay reserved', async () => {
    await page.getByRole('checkbox', { name: say('selectThis', { name: third.doorTag }), exact: true }).uncheck();
    await doToThem('takeOutKeep');
    await expect(row(one)).toContainText(say('emptyInUse'));
    expect(await stages()).toEqual(['VACANT', 'VACANT', 'RESERVED']);
  });

  await test.step('ended, they leave the list and stand under Ended; no door has opened, and what lay there is in doubt', async () => {
    await tick(one, two);
    await doToThem('endThem');
    await expect(row(one)).toBeHidden();
    expect(await stages()).toEqual(['TERMINATED', 'TERMINATED', 'RESERVED']);
    await page.getByRole('radio', { name: say('ended'), exact: true }).focus();
    await page.keyboard.press('Space');
    for (const each of [one, two]) await expect(row(each)).toContainText(say('ended'));
    await expect(row(third)).toBeHidden();
    const types = (await api('GET /history', { query: { limit: 200 } })).map(({ type }) => type);
    expect(types.filter((type) => type === 'occupation_extract')).toHaveLength(2);
    expect(types).not.toContain('locker_open');
  });
});
