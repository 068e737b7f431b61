import type { ControllerRef } from '@hatchway/contract/devices.ts';
import type { Db } from '../../db/database.ts';

export const cabinetCredentials =
  (_db: Db) =>
  async (_username: string, _password: string): Promise<ControllerRef | null> =>
    null;
export const believedOnline = async (_db: Db): Promise<readonly ControllerRef[]> => [];
