import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messages as messageRoutes } from '@hatchway/contract/history.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/network.ts';
import { serve } from '../../http/serve.ts';
import { jsonOf } from '../../providers/said.ts';
import { sendAgain, type Calling, type Hearing } from './commands.ts';
import { smsMonths } from './cost-queries.ts';
import { listMessages } from './queries.ts';
import { takeGatewayReport, takeReport, takeTwilioReport } from './report-commands.ts';

export const messageModule =
  (call: Calling) =>
  (app: FastifyInstance, deps: Deps): void => {
    serve(app, deps, messageRoutes, {
      'GET /messages': ({ tx, caller, query }) => listMessages(tx, caller.tenantId, caller.facts, query),
      'POST /messages/{id}/send': ({ tx, caller, params, scope }) => sendAgain(tx, deps, scope, caller.facts, params.id, call),
      // What a gateway billed is between it and the operator.
      'GET /stats/messages': async ({ tx, caller, now }) =>
        (await smsMonths(tx, caller.tenantId, now)).map(({ prices: _prices, ...month }) => month),
    });
  };

/** As JSON or as a form, in the body or behind the address: each gateway in its own way. */
const saidIn = (body: unknown, query: unknown): unknown => {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  const json = text.trimStart().startsWith('{') ? jsonOf(text) : undefined;
  return json ?? { ...(query as object), ...Object.fromEntries(new URLSearchParams(text)) };
};

/** No calls of ours: what a gateway posts to the address that it was given, with the message or by the operator. */
export const smsReportModule =
  (hear: Hearing) =>
  (app: FastifyInstance, deps: Deps): void => {
    const visitOf = (request: FastifyRequest) => ({ address: networkOf(request.ip), now: deps.now().toISOString() });
    app.post<{ Params: { key: string } }>('/hooks/sms/:key', { bodyLimit: 16 * 1024 }, async (request, reply) => {
      await takeReport(deps, hear, request.params.key, request.body, visitOf(request));
      return reply.code(204).send();
    });
    void app.register((hooks, _options, done) => {
      hooks.removeAllContentTypeParsers();
      hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16 * 1024 }, (_request, body, parsed) => parsed(null, body));
      hooks.post<{ Params: { key: string } }>('/hooks/sms/twilio/:key', async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
        const signature = [request.headers['x-twilio-signature']].flat()[0] ?? '';
        await takeTwilioReport(deps, hear, request.params.key, { body, signature }, visitOf(request));
        return reply.code(204).send();
      });
      for (const wire of ['sveve', 'link'] as const)
        hooks.route<{ Params: { secret: string } }>({
          method: ['GET', 'POST'],
          url: `/hooks/sms/${wire}/:secret`,
          handler: async (request, reply) => {
            const { secret } = request.params;
            await takeGatewayReport(deps, hear, { wire, secret }, saidIn(request.body, request.query), visitOf(request));
            // LINK Mobility tells again what is answered by anything but this very status.
            return reply.code(200).send();
          },
        });
      done();
    });
  };
