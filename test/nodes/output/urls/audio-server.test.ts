import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { mock } from 'node:test';
import type { Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type AudioPortInUse, useAudioServer } from '../../../../nodes/output/urls/audio-server.js';
import { recordingStore } from '../../../../nodes/output/urls/recording-store.js';
import { type AudioRequest, watchRequests } from '../../../../nodes/output/urls/requests.js';
import { type Flow, speechNode, withFlow } from '../../../support/node-red/flow.js';
import { freePort } from '../../../support/net/free-port.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { exchange, repliesOf } from '../../../support/net/raw-http.js';
import { never, until } from '../../../support/waiting.js';

const HOST = '127.0.0.1';
/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(40_000_000, 7);

const { setTimeout: realTimeout } = globalThis;
/** Runs the next attempt to listen after milliseconds, not after 10 seconds. */
const soon = (run: () => void, milliseconds: number): NodeJS.Timeout =>
  realTimeout(run, milliseconds === 10_000 ? 20 : milliseconds);

describe('an audio port', () => {
  const folder = useDataFolder();

  interface Served {
    flow: Flow;
    port: AudioPortInUse;
    origin: string;
    /** Records audio, and returns its URL at the port. */
    record(audio: Uint8Array): Promise<string>;
  }

  const serving = (work: (served: Served) => Promise<void>, settings: object = {}) =>
    withFlow(
      [speechNode('text-to-speech', { account: '' })],
      async (flow) => {
        const number = await freePort();
        const port = await openPort(flow.RED, number);
        const origin = `http://${HOST}:${number}`;
        try {
          const record = async (audio: Uint8Array) => `${origin}/herald/audio/${await recorded(audio)}`;
          await work({ flow, port, origin, record });
        } finally {
          await port.release();
        }
      },
      { settings: { userDir: folder(), ...settings } },
    );

  const recorded = async (audio: Uint8Array): Promise<string> => {
    const store = recordingStore(path.resolve(folder(), 'herald', 'audio'));
    await store.check(never);
    const recorder = await store.record('mp3', never);
    await recorder.append(audio);
    await recorder.finish(new Uint8Array());
    return recorder.name;
  };

  it('serves audio with HEAD, GET and ranges without the login of Node-RED', () =>
    serving(
      async ({ record }) => {
        const url = await record(Buffer.from('0123456789'));
        const head = await fetch(url, { method: 'HEAD' });
        assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10']);
        assert.equal(head.headers.get('content-type'), 'audio/mpeg');
        assert.equal(await (await fetch(url)).text(), '0123456789');
        const part = await fetch(url, { headers: { Range: 'bytes=2-4' } });
        assert.deepEqual([part.status, await part.text()], [206, '234']);
        const options = await fetch(url, { method: 'OPTIONS' });
        assert.equal(options.headers.get('access-control-allow-origin'), '*');
      },
      { httpNodeAuth: { user: 'anna', pass: '$2b$08$notAPassword' } },
    ));

  it('answers every other path and method with 404, and shows no page of Node-RED', () =>
    serving(async ({ origin, record, flow }) => {
      flow.RED.httpNode.get('/private', (_request, response) => void response.send('secret'));
      const url = await record(Buffer.from('audio'));
      const name = path.basename(url);
      const others = [
        ['GET', '/'],
        ['GET', '/private'],
        ['GET', '/flows'],
        ['GET', '/herald/audio/'],
        ['GET', `/herald/audio/${'0'.repeat(40)}.mp3`],
        ['GET', `/herald/audio/x/${name}`],
        ['GET', `/herald/audio/%2e%2e%2f${name}`],
        ['GET', '/herald/audio/__proto__'],
        ['POST', `/herald/audio/${name}`],
        ['DELETE', `/herald/audio/${name}`],
      ];
      for (const [method = '', target = ''] of others) {
        const reply = await fetch(`${origin}${target}`, { method });
        assert.equal(reply.status, 404, `${method} ${target}`);
        assert.doesNotMatch(await reply.text(), /secret|Node-RED/);
      }
      const [absolute] = repliesOf(
        await exchange(origin, `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      );
      assert.deepEqual([absolute?.status, absolute?.body], [200, 'audio']);
    }));

  it('rejects a head above 8,192 bytes and broken requests, and then serves the next player', () =>
    serving(async ({ origin, record }) => {
      const large = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(9000)}\r\n\r\n`;
      assert.match(await exchange(origin, large), /^HTTP\/1\.1 431 /);
      assert.match(await exchange(origin, 'HELLO\r\n\r\n'), /^HTTP\/1\.1 400 /);
      assert.equal(await (await fetch(await record(Buffer.from('a')))).text(), 'a');
    }));

  it('keeps a player and accepts new ones while 300 idle connections are opened', () =>
    serving(async ({ port, record }) => {
      const url = await record(LARGE);
      const playing = await fetch(url);
      const idle = Array.from({ length: 300 }, () =>
        net.connect(port.port, HOST).on('error', () => undefined),
      );
      await Promise.all(idle.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
      const head = await fetch(url, { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.equal((await playing.arrayBuffer()).byteLength, LARGE.length);
      for (const socket of idle) socket.destroy();
    }));

  it('ends a connection that sends many requests without reading the replies', () =>
    serving(async ({ port, record }) => {
      const target = new URL(await record(LARGE)).pathname;
      const socket = net.connect(port.port, HOST).on('error', () => undefined);
      socket.pause().write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20));
      await once(socket.resume(), 'close');
      assert.equal((await fetch(`http://${HOST}:${port.port}${target}`, { method: 'HEAD' })).status, 200);
    }));

  it('has one server for all users, and closes it with the last one', () =>
    serving(async ({ flow, port, record }) => {
      const second = await openPort(flow.RED, port.port);
      assert.deepEqual([port.problem, second.problem], [undefined, undefined]);
      const url = await record(Buffer.from('shared'));
      await port.release();
      assert.equal(await (await fetch(url)).text(), 'shared');
      await second.release();
      await assert.rejects(fetch(url));
      const other = createServer().listen(port.port, HOST);
      await once(other, 'listening');
      other.close();
    }));

  it('leaves the port free if it closes before it is open', () =>
    serving(async ({ flow }) => {
      const number = await freePort();
      const port = useAudioServer(flow.RED, { port: number, host: HOST }, () => undefined);
      await port.release();
      const other = createServer().listen(number, HOST);
      await once(other, 'listening');
      await new Promise((resolve) => other.close(resolve));
    }));

  it('continues a reply if the port is used again at once, and ends it with an error otherwise', () =>
    serving(async ({ flow, port, record }) => {
      const url = await record(LARGE);
      const playing = await fetch(url);
      await port.release();
      const again = await openPort(flow.RED, port.port);
      assert.equal((await playing.arrayBuffer()).byteLength, LARGE.length);
      const cut = await fetch(url);
      await again.release();
      const reader = cut.body?.getReader();
      // The connection ends only after a second without a new user, however fast the player reads.
      await reader?.read();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await assert.rejects(async () => {
        while (!(await reader?.read())?.done);
      });
    }));

  it('reports a port in use and an address of another computer, with the fix', () =>
    serving(async ({ flow, port }) => {
      const other = createServer().listen(0, HOST);
      await once(other, 'listening');
      const address = other.address();
      assert.ok(typeof address === 'object' && address !== null);
      const inUse = await openPort(flow.RED, address.port);
      assert.equal(
        inUse.problem?.english,
        `port ${address.port}: another program or account uses it: enter another “Port” under “Players” in the account, or end that program`,
      );
      const foreign = await openPort(flow.RED, port.port, '203.0.113.9');
      assert.match(
        foreign.problem?.english ?? '',
        /^address 203\.0\.113\.9: this computer does not have it: /,
      );
      await Promise.all([inUse.release(), foreign.release()]);
      await new Promise((resolve) => other.close(resolve));
    }));

  it('opens without a deploy when the other program has ended', () =>
    serving(async ({ flow }) => {
      const later = mock.method(globalThis, 'setTimeout', soon);
      try {
        const other = createServer().listen(0, HOST);
        await once(other, 'listening');
        const address = other.address();
        assert.ok(typeof address === 'object' && address !== null);
        const port = await openPort(flow.RED, address.port);
        assert.notEqual(port.problem, undefined);
        await new Promise((resolve) => other.close(resolve));
        await until(() => port.problem === undefined);
        const reply = await fetch(`http://${HOST}:${address.port}/`);
        assert.equal(reply.status, 404);
        await port.release();
      } finally {
        later.mock.restore();
      }
    }));

  it('shows each request with its player, range, status and bytes, and its early end', () =>
    serving(async ({ port, record }) => {
      const url = await record(Buffer.from('0123456789'));
      const seen: AudioRequest[] = [];
      const unwatch = watchRequests((request) => seen.push(request));
      const headers = { 'User-Agent': 'Kitchen/1.0', Range: 'bytes=3-' };
      await (await fetch(url, { headers })).text();
      await until(() => seen.at(-1)?.state === 'complete');
      const last = seen.at(-1);
      assert.deepEqual(
        { ...last, id: 0, startedAt: 0 },
        {
          id: 0,
          name: path.basename(url),
          startedAt: 0,
          address: HOST,
          base: new URL(url).origin,
          userAgent: 'Kitchen/1.0',
          method: 'GET',
          range: 'bytes=3-',
          http: '1.1',
          status: 206,
          bytes: 7,
          via: 'audio-port',
          state: 'complete',
        },
      );
      seen.length = 0;
      const socket = net.connect(port.port, HOST).on('error', () => undefined);
      socket.write(`GET ${new URL(await record(LARGE)).pathname} HTTP/1.0\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
      await until(() => seen.at(-1)?.state === 'ended-early');
      const { http, status, bytes } = seen.at(-1) ?? assert.fail();
      assert.deepEqual([http, status], ['1.0', 200]);
      assert.ok(bytes < LARGE.length);
      unwatch();
    }));

  /** Opens a port, and waits for its first attempt to listen. */
  async function openPort(RED: NodeAPI, port: number, host = HOST): Promise<AudioPortInUse> {
    const reports: (Text | undefined)[] = [];
    const opened = useAudioServer(RED, { port, host }, (problem) => reports.push(problem));
    await opened.ready();
    assert.deepEqual(reports.at(-1)?.english, opened.problem?.english);
    return opened;
  }
});
