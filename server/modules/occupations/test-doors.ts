import type { Client } from '@hatchway/contract/client.ts';
import { query } from '../../db/test-database.ts';
import { unique, type TestServer } from '../../test-server.ts';
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
  // the server never chooses one by itself: it has heard of none
  const free = async (): Promise<TestLocker> => {
    const one = lockers[used++];
    if (!one) throw new Error('the wall is full');
    return one;
  };
  return { id: made.id, number: made.number, lockers, free };
};

/**
 * As if nobody had used those doors: shut, empty, and in nobody's hands. To tell of a door takes the processors as long as two calls, so each
 * test of a file has the same few. What was told of them stays. A test waits until the last opening that its controller says was heard: what
 * is heard after this is the next one's.
 */
export const emptied = async (server: TestServer, doors: readonly { id: string }[]): Promise<void> => {
  const { ownerUrl } = server.database;
  // one after the other: whoever holds several at once may wait for a server that holds one of them and waits for another
  for (const { id } of doors) {
    // a controller goes on naming the last one with whatever its door does
    await query(ownerUrl, 'delete from commands where locker_id = $1', [id]);
    await query(
      ownerUrl,
      `update lockers set door = 'closed', lock_state = 'locked', occupancy = 'unknown', occupancy_at = null, sensed = null, sensed_since = null, last_command = null,
         out_of_service = null, alert = null, alert_at = null, incident_at = null, openings = 0, content = 'empty', content_at = null,
         content_why = null, doubted_at = null, said_at = null where id = $1`,
      [id],
    );
    await query(ownerUrl, 'update occupations set stage = 98 where locker_id = $1 and stage < 98', [id]);
  }
};
