import { expect, type Page } from '@playwright/test';
import type { OwnCabinet } from './company.ts';
import { once } from './counter.ts';
import type { Hands } from './journey.ts';
import type { Word } from './words.ts';

type Say = (word: Word, values?: Record<string, string>) => string;
type OwnLocker = OwnCabinet['lockers'][number];

/** Somebody who stands before the cabinet: its page in the sandbox, and hands on its doors. */
export async function standAt(page: Page, act: Hands, say: Say, cabinet: OwnCabinet, locker: OwnLocker) {
  await page.goto(`/sandbox/cabinets#cabinet=${cabinet.virtual.id}&door=${locker.compartment}`);
  return standing(page, act, say, locker);
}

/** The same hands without the page: for a journey that is about what follows at a screen. */
export function handsAt(origin: string, { virtual }: OwnCabinet, { compartment }: OwnLocker) {
  const door = async () => {
    const answer = await fetch(`${origin}/sandbox/cabinets/${virtual.id}`);
    const { doors } = (await answer.json()) as { doors: { no: number; open: boolean }[] };
    return doors.find(({ no }) => no === compartment)?.open;
  };
  const stands = (open: boolean) => expect.poll(door, { intervals: [50] }).toBe(open);
  return {
    seesItOpen: () => stands(true),
    seesItClosed: () => stands(false),
    put: (what: string) => once(() => virtual.act({ do: 'put', door: compartment, what })),
    take: () => once(() => virtual.act({ do: 'take', door: compartment })),
    close: () => once(() => virtual.act({ do: 'close', door: compartment })),
  };
}

/** The same for who has come there already, by a link. */
export function standing(page: Page, act: Hands, say: Say, locker: OwnLocker) {
  const door = page.locator(`[data-door="${locker.compartment}"]`);
  const stands = (state: string) =>
    expect(door).toHaveAttribute('aria-label', new RegExp(`^${say('door', { tag: locker.doorTag })}: ${state}`));
  return {
    seesItOpen: () => stands(say('doorOpen')),
    seesItClosed: () => stands(say('doorClosed')),
    put: async (what: string) => {
      await act.write(page.getByRole('textbox', { name: say('putWhat') }), what);
      await act.press(page.getByRole('button', { name: say('putIn'), exact: true }));
      await stands(`${say('doorOpen')}, ${say('holds', { what })}`);
    },
    take: async () => {
      await act.press(page.getByRole('button', { name: say('takeOut'), exact: true }));
      await stands(`${say('doorOpen')}, ${say('empty')}`);
    },
    close: async () => {
      await act.press(page.getByRole('button', { name: say('closeDoor'), exact: true }));
      await stands(say('doorClosed'));
    },
  };
}
