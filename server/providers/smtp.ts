import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import { isLoopback } from '../outside/addresses.ts';
import { plainError, plainRef, type Sent } from './sent.ts';

type Letter = { from: string; to: string; subject: string; text: string; html: string; messageId?: string };

/** All of it together stays well below the time after which a job is given to another process. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 15_000;

type SmtpError = Error & { code?: string; responseCode?: number; response?: string };
/** A reply of the server says what became of it; its absence says nothing once the body had begun to go out. */
const judge = (error: SmtpError, bodyBegan: boolean, to: string): Sent => {
  const { responseCode } = error;
  const words = plainError(responseCode ? (error.response ?? String(responseCode)) : error.message, to);
  // A login that is refused is the operator's to mend, not the receiver's fault.
  if (error.code === 'EAUTH') return { state: 'again', error: 'the mail server refused the login' };
  if (responseCode !== undefined) return responseCode >= 500 ? { state: 'failed', error: words } : { state: 'again', error: words };
  if (bodyBegan) return { state: 'unknown', error: 'the mail server did not answer' };
  if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') return { state: 'failed', error: words };
  return { state: 'again', error: 'the mail server cannot be reached' };
};

/** Where a letter goes and how. A login leaves the machine encrypted or not at all: a stripped STARTTLS must not get it in clear. */
export const connectionTo = (smtpUrl: string) => {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && url.username !== '' && host !== 'localhost' && !isLoopback(host),
  };
};

const connectionFor = async (smtpUrl: string) => {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const url = new URL(smtpUrl);
  const connection = new SMTPConnection({
    ...connectionTo(smtpUrl),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  });
  const user = decodeURIComponent(url.username);
  return { connection, login: user ? { user, pass: decodeURIComponent(url.password) } : null };
};

/** A national domain as mail servers know it (RFC 5890); the letters before the @ are the receiving server's own. */
export const onWire = (address: string): string => {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
};

/** One mail over a connection of its own. Never throws for what the other side does. */
export const sendLetter = async (smtpUrl: string, letter: Letter): Promise<Sent> => {
  const to = onWire(letter.to);
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const raw = await new MailComposer({ ...letter, to }).compile().build();
  const { connection, login } = await connectionFor(smtpUrl);
  let bodyBegan = false;
  // Read only after the server has asked for the body.
  const body = new Readable({
    read() {
      bodyBegan = true;
      this.push(raw);
      this.push(null);
    },
  });
  const from = /<([^>]*)>\s*$/.exec(letter.from)?.[1] ?? letter.from;
  return new Promise<Sent>((resolve) => {
    const fail = (error: Error) => {
      resolve(judge(error, bodyBegan, to));
      connection.close();
    };
    const deliver = () =>
      connection.send({ from, to: [to] }, body, (error, info) => {
        if (error) return fail(error);
        resolve({ state: 'accepted', providerRef: plainRef(info?.response ?? '', to) || null });
        connection.quit();
      });
    connection.on('error', fail);
    connection.once('end', () => fail(new Error('the connection ended')));
    connection.connect((error?: Error) => {
      if (error) return fail(error);
      if (!login) return deliver();
      connection.login(login, (refused) => (refused ? fail(refused) : deliver()));
    });
  });
};
