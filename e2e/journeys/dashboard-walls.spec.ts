import { expect, test } from '../services.ts';

// shows R2.15
test('a cold dashboard asks for each thing once, draws each wall as it stands, and leads to its doors', async ({
  page,
  company,
  act,
  say,
  enter,
}) => {
  const [cabinet, other] = [await company.cabinet({ doors: 2 }), await company.cabinet({ doors: 1 })];
  const [first] = cabinet.lockers;
  const [theirs] = other.lockers;
  if (!first || !theirs) throw new Error('no lockers');
  const { name } = await company.admin.api('GET /cabinets/{id}', { params: { id: cabinet.id } });
  const asked: string[] = [];
  const accepted = new Set<string>();
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/v1/')) asked.push(request.url().replace(/.*\/v1/, ''));
  });
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { topic, quiet } = JSON.parse(payload.toString()) as { topic: string; quiet?: number };
      if (topic === 'response' && quiet !== undefined) accepted.add(payload.toString());
    }),
  );
  await enter(company.admin.email);
  const main = page.getByRole('main');
  const small = (id: string) => page.locator(`[data-small-door="${id}"]`);
  const wall = main.getByRole('link').filter({ has: small(first.id) });

  await test.step('nothing is asked twice, though it hears of changes from then on', async () => {
    await expect(main.locator('[data-small-door]')).toHaveCount(3);
    await expect(main.getByRole('region', { name: say('dashboard.services') })).toBeVisible();
    // lockers, occupations, cabinets, payments, history, and the company
    await expect.poll(() => accepted.size).toBeGreaterThanOrEqual(6);
    await page.waitForLoadState('networkidle');
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
  });

  await test.step('in words too', async () => {
    await expect(wall).toContainText(say('lockers.wall.freeOf', { free: '2', total: '2' }));
    await expect(wall).toHaveAccessibleName(new RegExp(`${name}.*2 ${say('terms.lockerState.free')}`));
  });

  await test.step('a door that opens is seen to, and nothing of the wall beside it', async () => {
    await cabinet.virtual.act({ do: 'force', door: first.compartment });
    await expect(small(first.id)).toHaveAttribute('data-ajar', 'true');
    await expect(wall).toContainText(`1 ${say('terms.lockerState.open')}`);
    await expect(small(theirs.id)).toHaveAttribute('data-look', 'free');
  });

  await test.step('what a lost cabinet’s doors do is called unknown', async () => {
    await cabinet.virtual.act({ do: 'network', on: false });
    await expect(small(first.id)).toHaveAttribute('data-look', 'offline');
    await expect(small(first.id)).not.toHaveAttribute('data-ajar');
    await expect(wall).toContainText(say('terms.connection.offline'));
    await expect(wall).not.toContainText(say('terms.lockerState.open'));
  });

  await test.step('pressed, it leads to lock control at that cabinet', async () => {
    await act.press(wall);
    await expect(page.getByRole('heading', { level: 1, name: say('lockControl') })).toBeVisible();
    await expect(main.locator(`[data-door="${first.id}"]`)).toBeVisible();
    await expect(main.locator(`[data-door="${theirs.id}"]`)).toHaveCount(0);
  });
});
