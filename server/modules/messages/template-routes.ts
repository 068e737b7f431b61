import type { FastifyInstance } from 'fastify';
import { templates } from '@hatchway/contract/templates.ts';
import type { Deps } from '../../deps.ts';
import { serve } from '../../http/serve.ts';
import { forgetTemplate, mustBeSound, wordTemplate } from './template-commands.ts';
import { listTemplates, previewOf } from './template-queries.ts';

export const templateModule = (app: FastifyInstance, deps: Deps): void => {
  serve(app, deps, templates, {
    'GET /templates': ({ tx, caller }) => listTemplates(tx, caller.tenantId),
    'PUT /templates': ({ tx, body, scope }) => wordTemplate(tx, scope, body),
    'DELETE /templates': ({ tx, body, scope }) => forgetTemplate(tx, scope, body),
    'POST /templates/preview': ({ tx, caller, body: { text, ...rest } }) => {
      if (text === null) return previewOf(tx, deps, caller.tenantId, rest, null);
      mustBeSound({ ...rest, text });
      return previewOf(tx, deps, caller.tenantId, rest, { subject: rest.subject, text });
    },
  });
};
