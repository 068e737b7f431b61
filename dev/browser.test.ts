import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, formsOf } from './browser.ts';

describe('the small browser', () => {
  const page = (text: string) => ({ url: 'http://localhost/a/b', status: 200, text });

  it('reads forms with their hidden fields and buttons', () => {
    const [form] = formsOf(
      page(
        `<form method="post" action='/go?x=1&amp;y=2'><input type=hidden name="csrf" value="a&quot;b"><input name="email"><button name="company" value="7"><b>Other</b> AS</button></form>`,
      ),
    );
    expect(form).toEqual({
      action: 'http://localhost/go?x=1&y=2',
      method: 'POST',
      fields: [
        { name: 'csrf', type: 'hidden', value: 'a"b' },
        { name: 'email', type: 'text', value: '' },
      ],
      buttons: [{ name: 'company', value: '7', text: 'Other AS' }],
    });
    expect(formsOf(page('<form></form>'))[0]).toMatchObject({ action: 'http://localhost/a/b', method: 'GET' });
  });

  let origin = '';
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/start')
        answer.writeHead(303, { location: '/form', 'set-cookie': ['a=1; Path=/', 'b=2; Path=/elsewhere', 'c=3; Path=/; Max-Age=0'] }).end();
      else if (request.url === '/form')
        answer.end(
          `<form method="post" action="/send"><input type="hidden" name="seen" value="${request.headers.cookie}"><input type="password" name="p"></form>`,
        );
      else if (request.url === '/send') answer.writeHead(302, { location: `/done?${Buffer.concat(chunks).toString()}` }).end();
      else answer.end('done');
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve())));
  beforeAll(() => {
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('keeps cookies to their paths, follows redirects and stops where it is told to', async () => {
    const browser = new Browser();
    const form = formsOf(await browser.go(`${origin}/start`))[0];
    expect(form?.fields[0]?.value).toBe('a=1');
    const stopped = await browser.submit(form!, { 'type=password': 'demo' }, { stopAt: (url) => url.includes('/done') });
    expect(stopped.url).toBe(`${origin}/done?seen=a%3D1&p=demo`);
  });
});
