import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { Reach } from '../links/right-queries.ts';

/** Whether what a use began still lies behind a door of its link, in a service that the link opens it for: moved away, it is no longer the link's. */
export const reaches = (reach: Reach, { lies_in, type }: { lies_in: string | null; type: OccupationType | null }): boolean =>
  lies_in !== null && type !== null && (reach.get(lies_in)?.includes(type) ?? false);
