import type { FastifyInstance } from 'fastify';
import { exports } from '@hatchway/contract/exports.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { fileOf } from './file.ts';
import { SHEETS } from './sheets.ts';

export const exportModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, exports, {
    'GET /exports/assets': { outside: (asked) => fileOf(SHEETS.assets, asked) },
    'GET /exports/occupations': { outside: (asked) => fileOf(SHEETS.occupations, asked) },
    'GET /exports/payments': { outside: (asked) => fileOf(SHEETS.payments, asked) },
    'GET /exports/history': { outside: (asked) => fileOf(SHEETS.history, asked) },
    'GET /exports/members': { outside: (asked) => fileOf(SHEETS.members, asked) },
  });
};
