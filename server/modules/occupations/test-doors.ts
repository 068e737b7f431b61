import type { Client } from '@hatchway/contract/client.ts';
import { unique } from '../../test-server.ts';
import type { TestLocker } from '../../test-cabinet.ts';

export type TestDoors = { id: string; number: number; lockers: TestLocker[]; free: () => Promise<TestLocker> };

/** Lockers without a controller, for what opens none of them: to tell of a door takes the processors as long as a call. */
export const testDoors = async (admin: Client, doors: number): Promise<TestDoors> => {
  const tag = `T${unique().slice(0, 5).toUpperCase()}`;
  const site = await admin('POST /sites', { body: { name: `Site ${tag}` } });
  const column = Array.from({ length: doors }, (_, index) => ({
    doorTag: `${tag}-${index + 1}`,
    compartment: index + 1,
    size: 'M' as const,
    height: 300,
  }));
  const made = await admin('POST /cabinets', {
    body: { siteId: site.id, name: `Cabinet ${tag}`, columns: [{ width: 400, doors: column }] },
  });
  const drawn = await admin('GET /cabinets/{id}/lockers', { params: { id: made.id } });
  const lockers = drawn.map(({ id, doorTag: tagged, compartment }) => ({ id, doorTag: tagged, compartment }));
  let used = 0;
  const free = async (): Promise<TestLocker> => {
    for (;;) {
      const one = lockers[used++];
      if (!one) throw new Error('the wall is full');
      // the server may have chosen it for something
      const { occupationId } = await admin('GET /lockers/{id}', { params: { id: one.id } });
      if (occupationId === null) return one;
    }
  };
  return { id: made.id, number: made.number, lockers, free };
};
