import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { connectionLimits } from '../../../service/http/connection-limit.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { until } from '../../support/waiting.js';

const engines = [path.join(__dirname, '..', 'voices', 'engines', 'plug-ins', 'unhurried.mjs')];

describe('callers with a key', () => {
  let service: TestService;
  const sockets: net.Socket[] = [];
  beforeEach(async () => {
    service = await startTestService({ speech: { size: 1, maxQueued: 8 }, engines });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await service.close();
  });

  const open = async () => {
    const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };
  const openMany = (count: number) => Promise.all(Array.from({ length: count }, open));
  const request = (line: string, rest: string) =>
    `${line} HTTP/1.1\r\nHost: x\r\nX-Sup-Api-Key: ${service.key}\r\n${rest}`;
  const speechOf = (length: number) =>
    request(
      'POST /v1/text-to-speech/en_GB-unhurried-medium',
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
  /** Sends a request, and resolves with the start of its reply. Rejects if the connection ends before. */
  const replyTo = async (socket: net.Socket, text: string) => {
    const ended = once(socket, 'close').then(() => assert.fail('the connection ended without a reply'));
    socket.write(text);
    return String((await Promise.race([once(socket, 'data'), ended]))[0]);
  };

  it('all get a reply if 600 of them connect before the first one sends its request', async () => {
    // The voice waits and needs no processor, so that it speaks only few of the texts meanwhile.
    const body = JSON.stringify({ text: 'Late words.', language: 'en' });
    const text = speechOf(body.length) + body;
    const replies = await Promise.all((await openMany(600)).map(async (socket) => replyTo(socket, text)));
    const full = replies.filter((reply) => !reply.startsWith('HTTP/1.1 200'));
    assert.ok(full.length < replies.length);
    assert.ok(full.every((reply) => /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/i.test(reply)));
  });

  it('get a 503 with Retry-After above the limit of requests, and their next request on the connection works', async () => {
    const credits = request('GET /v1/credits', '\r\n');
    for (const socket of await openMany(connectionLimits.requests)) socket.write(`${speechOf(99)}{`);
    await until(async () => (await service.send('GET', '/v1/credits')).status === 503);
    const socket = await open();
    assert.match(await replyTo(socket, credits), /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/i);
    sockets[0]?.destroy();
    await until(async () => (await replyTo(socket, credits)).startsWith('HTTP/1.1 200'));
  });
});
