import formbody from 'node:querystring';
import type { FastifyInstance } from 'fastify';
import { problemOf } from '../../http/errors.ts';
import { Problem, statusOf } from '../../http/problem.ts';
import { textOf } from '../../http/text.ts';
import { keepOwnReferrer, refuseForeignForms } from '../context.ts';
import { NUL, type Log } from '../options.ts';
import { errorPage, failureCode } from './outcome.ts';
import { replyPage } from './send.ts';

/** The bytes behind each %: what is no UTF-8 would be read as other characters than were typed. */
const isEncodedUtf8 = (form: string): boolean => {
  try {
    decodeURIComponent(form);
    return true;
  } catch {
    return false;
  }
};

/** Takes forms, and nothing else, from our own pages alone; what fails is said on a page. */
export function takeForms(scope: FastifyInstance, { origin, portal, log }: { origin: string; portal: string; log: Log }): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: 16_384 },
    (request, bytes: Buffer, done) => {
      const body = textOf(bytes, request.headers['content-type']);
      if (NUL.test(body) || !isEncodedUtf8(body)) done(new Problem('malformed'));
      else done(null, formbody.parse(body));
    },
  );
  scope.addHook('preHandler', refuseForeignForms(origin));
  scope.addHook('onSend', keepOwnReferrer);
  scope.setErrorHandler((error, request, reply) => {
    const { code } = problemOf(error);
    const ours = statusOf(code) >= 500;
    if (ours) log.error({ err: error }, 'a page of the identity provider failed');
    const theirs = code === 'malformed' ? code : 'invalid_request';
    return replyPage(request, reply, errorPage(ours ? failureCode(error) : theirs, portal));
  });
}
