import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { frameOf } from './connection.ts';

it('a text of every length is one frame, among those that ws writes itself', async () => {
  // at each change of how a length is written: 125, 126, 65,535, 65,536 bytes
  const texts = ['', 'a'.repeat(125), `${'a'.repeat(124)}å`, 'a'.repeat(65_535), 'a'.repeat(65_536), 'å'.repeat(200_000)];
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, wire, head) =>
    sockets.handleUpgrade(request, wire, head, (socket) => {
      for (const text of texts) {
        wire.write(frameOf(text));
        socket.ping();
        socket.send('between');
      }
      socket.close(1000);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const heard: string[] = [];
  client.on('message', (data, binary) => heard.push(binary ? 'binary' : (data as Buffer).toString()));
  const [code] = (await once(client, 'close')) as [number];
  server.close();
  expect(code).toBe(1000);
  expect(heard.map((text) => text.length)).toEqual(texts.flatMap((text) => [text.length, 'between'.length]));
  expect(heard.filter((text) => text !== 'between')).toEqual(texts);
});
