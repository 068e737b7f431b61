import type { FastifyInstance } from 'fastify';
import { templates } from '@hatchway/contract/templates.ts';
import type { Deps } from '../../deps.ts';
import { scopeOf } from '../../http/caller.ts';
import { serve } from '../../http/serve.ts';
import { forgetTemplate, mustBeSound, wordTemplate } from './template-commands.ts';
import { listTemplates, previewOf } from './template-queries.ts';

export const templateModule = (app: FastifyInstance, deps: Deps): void => {
  const wake = () => deps.outbox.wake();
  serve(app, deps, templates, {
    'GET /templates': ({ tx, caller }) => listTemplates(tx, caller.tenantId),
    'PUT /templates': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return wordTemplate(tx, scopeOf(caller, now), body);
    },
    'DELETE /templates': async ({ tx, caller, body, now, after }) => {
      after(wake);
      return forgetTemplate(tx, scopeOf(caller, now), body);
    },
    'POST /templates/preview': ({ tx, caller, body: { text, ...rest } }) => {
      if (text === null) return previewOf(tx, deps, caller.tenantId, rest, null);
      mustBeSound({ ...rest, text });
      return previewOf(tx, deps, caller.tenantId, rest, { subject: rest.subject, text });
    },
  });
};
