import { createFileRoute } from '@tanstack/react-router';
import { LockControl } from '../../features/lockers/lock-control.tsx';
import { SHOWS } from '../../features/lockers/showing.ts';

import { SIZES, type Size } from '@hatchway/domain/terms.ts';
export type LockSearch = { tag?: string; cabinet?: string; show?: (typeof SHOWS)[number]; size?: Size };

/** `tag` finds one door; `show` and `size` narrow to what the dashboard's figures count; `cabinet` names a wall by its id. */
export const Route = createFileRoute('/services/lock-control')({
  validateSearch: (raw): LockSearch => {
    const show = SHOWS.find((one) => one === raw['show']);
    const size = SIZES.find((one) => one === raw['size']);
    return {
      ...(typeof raw['tag'] === 'string' || typeof raw['tag'] === 'number' ? { tag: String(raw['tag']) } : {}),
      ...(typeof raw['cabinet'] === 'string' ? { cabinet: raw['cabinet'] } : {}),
      ...(show ? { show } : {}),
      ...(size ? { size } : {}),
    };
  },
  component: LockControl,
});
