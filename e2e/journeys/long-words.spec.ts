import type { Locator } from '@playwright/test';
import { once } from '../counter.ts';
import { expect, test } from '../journey.ts';

const softly = expect.configure({ soft: true });
/** As a hand scanner writes it: nothing in it at which a line could end. */
const unbroken = 'N0123456789ABCDE'.repeat(8);

/** Each lies within the window, and nothing it says runs over its edge or is cut off there. */
const fits = async (parts: Locator, least = 1) => {
  await expect.poll(() => parts.count()).toBeGreaterThanOrEqual(least);
  // a phone's own innerWidth grows with a page that is too wide
  const width = parts.page().viewportSize()?.width ?? 0;
  const faults = () =>
    parts.evaluateAll((all, width) => {
      // what is only spoken takes no room
      const said = all.flatMap((one) => [one, ...one.querySelectorAll('*')]).filter((one) => one.checkVisibility() && one.clientWidth > 1);
      const out = said.filter((one) => one.getBoundingClientRect().right > width || one.getBoundingClientRect().left < 0);
      const over = said.filter((one) => one.scrollWidth > one.clientWidth + 1);
      const named = (one: (typeof all)[number]) => `${one.tagName} ${one.textContent.slice(0, 40)}`;
      return [...out.map((one) => `out: ${named(one)}`), ...over.map((one) => `over its edge: ${named(one)}`)];
    }, width);
  // a dialog that opens is not yet where it will be
  await softly.poll(faults).toEqual([]);
  const across = () => parts.page().evaluate<number>('document.documentElement.scrollWidth');
  await softly.poll(across).toBeLessThanOrEqual(width);
};

test('content that is one long word is read whole, and widens no screen; on the wall beside it no word is cut', async ({
  page,
  company,
  act,
  say,
  enter,
  go,
}) => {
  const { api } = company.admin;
  const { id: cabinetId, lockers, virtual } = await company.cabinet({ doors: 3, hasSensors: false });
  const [lot, other] = lockers;
  if (!lot || !other) throw new Error('no lockers');
  const receiver = { name: 'Ingrid Solberg', email: 'ingrid@e2e.test' };
  const longNamed = { name: 'Christopher Featherstonehaugh', email: 'christopher@e2e.test' };
  const made = await api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, assetText: unbroken, receiver } });
  const second = await api('POST /occupations', {
    body: { type: 'delivery', lockerId: other.id, assetText: 'Parcel 7', receiver: longNamed },
  });
  await api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  const main = page.getByRole('main');
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await enter(company.admin.email, '/portal/services/delivery');
  await test.step('under way, beside its stage', async () => {
    await expect(main.getByText(unbroken)).toBeVisible();
    await fits(main.getByRole('listitem').filter({ hasText: new RegExp(`${unbroken}|Parcel 7`) }), 2);
  });

  await test.step('once its receiver is told, on the button for the next parcel of theirs', async () => {
    await api('PUT /occupations', { body: { id: second.id, action: 'fill' } });
    await act.press(main.getByRole('button', { name: /Parcel 7/ }));
    await act.press(button(say('notify')));
    await fits(main.getByRole('region').filter({ has: button(say('nextParcelFor', { name: longNamed.name })) }));
    // what is under way here would be gone on with
    await page.evaluate('sessionStorage.clear()');
  });

  await test.step('found by its receiver', async () => {
    await go('/services/manageoccupation');
    const field = page.getByLabel(say('codeOrTag'));
    await field.fill(receiver.name);
    await field.press('Enter');
    await expect(main.getByText(unbroken)).toBeVisible();
    await fits(main);
  });

  await test.step('on its own page, and where it is taken out', async () => {
    await go(`/services/manageoccupation?id=${made.id}`);
    await expect(main.getByText(unbroken).first()).toBeVisible();
    await fits(main);
    await act.press(button(say('takeOutKeep')));
    await fits(page.getByRole('dialog'));
  });

  await test.step('in the summary', async () => {
    await go('/services/delivery');
    await page.getByRole('combobox', { name: say('asset'), exact: true }).fill(unbroken);
    await act.press(button(say('next')));
    await page.getByRole('combobox', { name: say('name'), exact: true }).fill('Ola Nordmann');
    await page.getByRole('combobox', { name: say('email'), exact: true }).fill('ola@e2e.test');
    await act.press(button(say('next')));
    await act.press(button(say('next')));
    await expect(main.getByText(unbroken)).toBeVisible();
    await fits(main);
  });

  await test.step('where a doubt of its locker is settled', async () => {
    await once(() => virtual.act({ do: 'force', door: lot.compartment }));
    await once(() => virtual.act({ do: 'close', door: lot.compartment }));
    await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: lot.id } })).inDoubt).toBe(true);
    await go(`/services/lock-control?tag=${lot.doorTag}`);
    await act.press(button(say('saidEmpty')));
    await expect(page.getByRole('dialog')).toContainText(unbroken);
    await fits(page.getByRole('dialog'));
  });

  await test.step('the heads of a wall whose name is long, as it is built and checked', async () => {
    const { version } = await api('GET /cabinets/{id}', { params: { id: cabinetId } });
    await api('PUT /cabinets/{id}', {
      params: { id: cabinetId },
      body: { version, name: 'Inngangspartiet ved hovedresepsjonen i første etasje' },
    });
    await go(`/manage/lockers?cabinet=${cabinetId}`);
    await expect(main.locator('[data-plate]')).toBeVisible();
    await fits(main.getByRole('region'));
    await go('/manage/lockers?view=doubt');
    await fits(main.getByRole('region'));
  });

  await test.step('where its locker is checked, in the record and on the button that confirms it', async () => {
    await act.press(page.getByRole('link', { name: say('startChecking') }));
    await act.press(button(say('openTag', { tag: lot.doorTag })));
    await expect(page.getByText(say('openWhatSeen', { tag: lot.doorTag }))).toBeVisible();
    await expect(main.getByRole('button').filter({ hasText: unbroken })).toBeVisible();
    await fits(main);
  });

  await test.step('on the wall beside what is under way each door shows its state by an icon or its leaf, and no word of it is cut', async () => {
    // of three there is room for two lines, of fourteen for one
    for (const doors of [3, 14]) {
      const { lockers, virtual } = await company.cabinet({ doors });
      const [lot, other] = lockers;
      if (!lot || !other) throw new Error('no lockers');
      const before = await api('POST /occupations', { body: { type: 'delivery', lockerId: other.id, assetText: 'Parcel', receiver } });
      await api('PUT /occupations', { body: { id: before.id, action: 'fill' } });
      await once(() => virtual.act({ do: 'force', door: other.compartment }));
      await once(() => virtual.act({ do: 'close', door: other.compartment }));
      await expect.poll(async () => (await api('GET /lockers/{id}', { params: { id: other.id } })).inDoubt).toBe(true);
      await api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, assetText: `Parcel ${doors}`, receiver } });
      await go('/settings');
      // what is under way here would be gone on with
      await page.evaluate('sessionStorage.clear()');
      await go('/services/delivery');
      await page.getByRole('button', { name: new RegExp(`Parcel ${doors}`) }).click();
      await expect(page.locator(`[data-mode] [data-door="${other.id}"][data-look=inDoubt]`)).toBeVisible();
      const faults = await page.locator('[data-mode] [data-door]').evaluateAll((all) =>
        all.flatMap((door) => {
          const within = (one: typeof door) => {
            const [inner, outer] = [one.getBoundingClientRect(), door.getBoundingClientRect()];
            return inner.left >= outer.left - 0.5 && inner.right <= outer.right + 0.5 && inner.bottom <= outer.bottom + 0.5;
          };
          const icon = door.querySelector('[data-icon]');
          const state = icon?.parentElement;
          const word = icon?.nextElementSibling;
          if (!icon || !state || !word) return ['no state'];
          // a door that has room for all of its words says no more to a mouse that rests on it
          const named = door.getAttribute('title') ?? (door.getAttribute('data-room') === 'full' ? 'all words' : '');
          const shown = icon.checkVisibility() && within(icon);
          // what has no room is on the next line, which is not seen
          const [line, of] = [word.getBoundingClientRect(), state.getBoundingClientRect()];
          const whole = !word.checkVisibility() || line.top >= of.bottom || (within(word) && line.bottom <= of.bottom + 0.5);
          return [...(shown ? [] : [`no icon: ${named}`]), ...(whole ? [] : [`cut: ${named}`]), ...(named ? [] : ['no title'])];
        }),
      );
      expect.soft(faults).toEqual([]);
    }
  });
});
