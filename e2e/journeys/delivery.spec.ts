import { messagesTo } from '../company.ts';
import { expect, test } from '../journey.ts';

test('a parcel goes in, and its receiver takes it out @main', async ({ page, hatchway, company, act, handsOn, say, enter }) => {
  const counter = await company.person(['delivery_manager'], 'Kari Counter');
  const { virtual, lockers } = await company.cabinet({ doors: 4 });
  const tlf = `+479${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;

  await test.step('sign in and choose Delivery', async () => {
    await enter(counter.email);
    await act.press(
      page
        .getByRole('main')
        .getByRole('link', { name: say('delivery') })
        .first(),
    );
    await expect(page.getByRole('heading', { name: say('delivery'), level: 1 })).toBeVisible();
  });

  await test.step('nothing is not an asset, and no one is no receiver', async () => {
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
    await expect(page.getByRole('alert')).toContainText(say('pickAsset'));
    await act.write(page.getByRole('textbox', { name: say('asset'), exact: true }), 'Parcel 77');
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
    await expect(page.getByRole('textbox', { name: say('name'), exact: true })).toBeVisible();
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
    await expect(page.getByRole('alert')).toContainText(say('checkAllFields'));
  });

  await test.step('the receiver, and the door that is chosen already', async () => {
    await act.write(page.getByRole('textbox', { name: say('name'), exact: true }), 'Ingrid Solberg');
    await act.write(page.getByRole('textbox', { name: say('tlf'), exact: true }), tlf);
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
    await act.press(page.getByRole('button', { name: say('next'), exact: true }));
  });

  const open = page.getByRole('button', { name: new RegExp(`^${say('openTag', { tag: '' })}`) });
  await expect(open).toBeVisible();
  const label = await open.innerText();
  const tag = lockers.find((one) => label.includes(one.doorTag));
  if (!tag) throw new Error(`No locker of ours is on the button: ${label}`);

  await test.step('open, put it in, close', async () => {
    await act.press(open);
    await expect
      .poll(() =>
        virtual.act({ do: 'put', door: tag.compartment, what: 'Parcel 77' }).then(
          () => 'inside',
          () => 'closed',
        ),
      )
      .toBe('inside');
    await virtual.act({ do: 'close', door: tag.compartment });
    await expect(page.getByText(say('liesIn', { tag: tag.doorTag }))).toBeVisible({ timeout: 15_000 });
  });

  await test.step('tell the receiver', async () => {
    await act.press(page.getByRole('button', { name: say('notify'), exact: true }));
    await expect(page.getByText(say('notified', { name: 'Ingrid Solberg' }))).toBeVisible({ timeout: 15_000 });
  });

  const link = (await messagesTo(hatchway.origin, tlf))[0]?.links[0];
  if (!link) throw new Error('The message holds no link.');
  const receiver = await page.context().newPage();

  await test.step('the receiver opens, takes it and closes', async () => {
    await receiver.goto(link);
    await handsOn(receiver).press(receiver.getByRole('button', { name: say('openLocker') }));
    await expect
      .poll(() =>
        virtual.act({ do: 'take', door: tag.compartment }).then(
          () => 'taken',
          () => 'closed',
        ),
      )
      .toBe('taken');
    await virtual.act({ do: 'close', door: tag.compartment });
    await handsOn(receiver).press(receiver.getByRole('button', { name: say('tookAll') }));
    await expect(receiver.getByText(say('done'))).toBeVisible();
  });

  await test.step('the counter sees it end without reloading, and the whole story', async () => {
    await expect(page.getByText(say('ended'))).toBeVisible();
    const [story] = await company.admin.api('GET /occupations', { query: { q: { type: 'delivery' } } });
    expect(story).toMatchObject({ stageName: 'TERMINATED', doorTag: tag.doorTag });
    const events = await company.admin.api('GET /history', { query: { q: { occupationId: story?.id }, sort: 'createdAt' } });
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining([
        'occupation_created',
        'locker_reserved',
        'locker_opened',
        'occupation_filled',
        'occupation_published',
        'occupation_assigned',
        'occupation_claiming',
        'occupation_claimed',
        'occupation_delivered',
      ]),
    );
    await page.goto(`/portal/history/occupation/${story?.id}`);
    await expect(page.getByText(tag.doorTag).first()).toBeVisible();
  });
});
