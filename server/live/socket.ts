import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

export const serveLive = (_app: FastifyInstance, _deps: Deps, _build: string): void => {};
