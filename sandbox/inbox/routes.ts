import type { FastifyInstance } from 'fastify';
import { mountEvents } from '../events.ts';
import { mountPages } from '../pages.ts';
import { readFault } from './faults.ts';
import type { Inbox, InboxEvent } from './inbox.ts';
import type { Message } from './message.ts';
import { mountGateways } from './gateways.ts';
import { mountSms } from './sms.ts';

/** A mail is shown as it came, in a frame that may run nothing and fetch nothing; its links open a page of their own. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

const mailPage = (message: Message): string =>
  `<!doctype html><meta charset="utf-8"><base target="_blank"><meta name="referrer" content="no-referrer">${message.html ?? ''}`;

/**
 * Everything of the inbox below `/sandbox`: the SMS gateway, the messages as JSON and as a stream of events,
 * faults to inject, and its page. For a demo on loopback; never mounted in production.
 */
export function mountInbox(app: FastifyInstance, inbox: Inbox): void {
  const prefix = '/sandbox';
  const at = `${prefix}/inbox`;
  mountSms(app, inbox, prefix);
  mountGateways(app, inbox, prefix);
  mountPages(app, { '/': 'index', '/inbox': 'inbox' });
  app.get(prefix, (_request, reply) => reply.redirect(`${prefix}/`, 308));

  app.get<{ Querystring: { to?: string; channel?: string } }>(`${at}/messages`, (request, reply) =>
    reply.header('cache-control', 'no-store').send(inbox.list({ to: request.query.to, channel: request.query.channel })),
  );
  app.get<{ Params: { id: string } }>(`${at}/messages/:id`, (request, reply) => {
    const message = inbox.get(request.params.id);
    return message ? reply.header('cache-control', 'no-store').send(message) : reply.code(404).send({ error: 'not found' });
  });
  app.get<{ Params: { id: string } }>(`${at}/messages/:id/mail`, (request, reply) => {
    const message = inbox.get(request.params.id);
    if (!message || message.html === null) return reply.code(404).send({ error: 'not found' });
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', MAIL_POLICY)
      .header('cache-control', 'no-store')
      .send(mailPage(message));
  });
  app.delete<{ Params: { id: string } }>(`${at}/messages/:id`, (request, reply) =>
    reply.code(inbox.remove(request.params.id) ? 204 : 404).send(),
  );
  app.delete(`${at}/messages`, (_request, reply) => {
    inbox.clear();
    return reply.code(204).send();
  });

  app.get(`${at}/faults`, (_request, reply) => reply.header('cache-control', 'no-store').send(inbox.faults));
  app.post(`${at}/faults`, (request, reply) => {
    const fault = readFault(request.body);
    if (!fault) return reply.code(400).send({ error: 'channel and kind are needed' });
    inbox.setFault(fault);
    return reply.code(201).send(fault);
  });
  app.delete(`${at}/faults`, (_request, reply) => {
    inbox.clearFaults();
    return reply.code(204).send();
  });

  mountEvents<InboxEvent>(app, `${at}/events`, (tell) => inbox.on(tell));
}
