import type { FastifyInstance } from 'fastify';
import { system } from '@hatchway/contract/system.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { systemState } from './queries.ts';

export const systemModule = (app: FastifyInstance, deps: Deps): void =>
  serve(app, deps, system, {
    'GET /system': ({ tx, scope }) => systemState(tx, deps, scope),
  });
