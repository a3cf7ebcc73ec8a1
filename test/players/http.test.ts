import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { useDataFolder } from '../support/service/local-service.js';
import { exchange } from '../support/net/raw-http.js';
import { headerOf } from '../nodes/output/speaking.js';
import { noise, withAudioRoute, wavOf } from './publish.js';
import { until } from '../support/waiting.js';

const ONE = noise(2, 1);
const TWO = noise(3, 2);
const WAV = wavOf(ONE, TWO);

/** A reply as bytes, so that its body is compared exactly. */
interface Reply {
  status: string;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Returns the reply in the bytes of a connection. */
function replyOf(answer: string): Reply {
  const end = answer.indexOf('\r\n\r\n');
  const [status = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return { status, headers: new Map(headers), body: Buffer.from(answer.slice(end + 4), 'latin1') };
}

/** Sends a request as a player writes it, and returns the reply when the server has closed the connection. */
const ask = async (url: string, start: string, ...headers: string[]): Promise<Reply> =>
  replyOf(
    await exchange(url, [start.replace('URL', new URL(url).pathname), ...headers, '', ''].join('\r\n')),
  );

const CLOSE = ['Host: player', 'Connection: close'];

for (const via of ['node-red', 'audio-port'] as const) {
  describe(`a player at ${via === 'node-red' ? 'Node-RED' : 'an audio port'}`, () => {
    const folder = useDataFolder();
    const served = (work: Parameters<typeof withAudioRoute>[1]) => withAudioRoute(folder(), work, { via });

    it('that sends HEAD first gets the headers of GET, then the audio', () =>
      served(async ({ publish }) => {
        const url = await publish(ONE, TWO);
        const head = await ask(url, 'HEAD URL HTTP/1.1', ...CLOSE);
        const get = await ask(url, 'GET URL HTTP/1.1', ...CLOSE);
        for (const name of ['content-length', 'content-type', 'accept-ranges', 'etag', 'cache-control'])
          assert.equal(head.headers.get(name), get.headers.get(name), name);
        assert.equal(head.headers.get('content-length'), String(WAV.length));
        assert.equal(head.body.length, 0);
        assert.deepEqual(get.body, WAV);
      }));

    it('with HTTP 1.0, without a Host header and without ranges gets the exact length and audio', () =>
      served(async ({ publish }) => {
        const { status, headers, body } = await ask(await publish(ONE, TWO), 'GET URL HTTP/1.0');
        assert.match(status, / 200 /);
        assert.equal(headers.get('content-length'), String(WAV.length));
        assert.equal(headers.get('transfer-encoding'), undefined);
        assert.deepEqual(body, WAV);
      }));

    it('with HTTP 1.0 gets a text that is still spoken unchunked, and the end of the connection as its end', () =>
      served(async ({ publishFirst, requests }) => {
        const { url, add, end } = await publishFirst(ONE);
        const reply = ask(url, 'GET URL HTTP/1.0');
        await until(() => requests.size > 0);
        add(TWO);
        await end();
        const { headers, body } = await reply;
        assert.deepEqual(
          [headers.get('content-length'), headers.get('transfer-encoding')],
          [undefined, undefined],
        );
        assert.deepEqual(body, Buffer.concat([headerOf(undefined), ONE, TWO]));
      }));

    it('that asks for Icecast metadata gets audio without metadata, complete or still spoken', () =>
      served(async ({ publish, publishFirst }) => {
        const complete = await ask(await publish(ONE, TWO), 'GET URL HTTP/1.0', 'Icy-MetaData: 1');
        const { url, end } = await publishFirst(ONE);
        const reply = ask(url, 'GET URL HTTP/1.0', 'icy-metadata: 1', 'User-Agent: WinampMPEG/5.0');
        await end();
        const live = await reply;
        for (const { status, headers } of [complete, live]) {
          assert.match(status, /^HTTP\/1\.1 200 /);
          assert.deepEqual(
            [...headers.keys()].filter((name) => name.startsWith('icy')),
            [],
          );
        }
        assert.deepEqual(complete.body, WAV);
      }));

    it('that reads through two connections at once gets the same audio from both, and parts that fit together', () =>
      served(async ({ publish }) => {
        const url = await publish(ONE, TWO);
        const middle = 40_001;
        const [probe, all, ...parts] = await Promise.all([
          ask(url, 'GET URL HTTP/1.1', ...CLOSE, 'Range: bytes=0-1'),
          ask(url, 'GET URL HTTP/1.1', ...CLOSE, 'Range: bytes=0-'),
          ask(url, 'GET URL HTTP/1.1', ...CLOSE, `Range: bytes=0-${middle - 1}`),
          ask(url, 'GET URL HTTP/1.1', ...CLOSE, `Range: bytes=${middle}-`),
        ]);
        assert.equal(probe.headers.get('content-range'), `bytes 0-1/${WAV.length}`);
        assert.deepEqual(all.body, WAV);
        assert.deepEqual(Buffer.concat(parts.map(({ body }) => body)), WAV);
      }));

    it('that keeps one connection gets the audio of several requests through it', () =>
      served(async ({ publish }) => {
        const url = await publish(ONE, TWO);
        const path = new URL(url).pathname;
        const start = (method: string) => `${method} ${path} HTTP/1.1\r\nHost: player\r\n`;
        const requests = [`${start('HEAD')}\r\n`, `${start('GET')}Connection: close\r\n\r\n`];
        const answer = await exchange(url, requests.join(''));
        const second = answer.indexOf('HTTP/1.1', 1);
        assert.deepEqual(replyOf(answer.slice(second)).body, WAV);
      }));

    it('that reads slowly gets all audio, and others are served meanwhile', () =>
      served(async ({ publish }) => {
        const long = noise(600);
        const url = await publish(ONE, long);
        const slow = net.connect(Number(new URL(url).port), '127.0.0.1');
        slow.write(`GET ${new URL(url).pathname} HTTP/1.1\r\n${CLOSE.join('\r\n')}\r\n\r\n`);
        // The player stops to read: the buffers of the connection get full.
        await once(slow, 'readable');
        for (const size of [ONE.length, 1, WAV.length]) {
          const { body } = await ask(url, 'GET URL HTTP/1.1', ...CLOSE, `Range: bytes=-${size}`);
          assert.deepEqual(body, long.subarray(-size));
        }
        const parts: Buffer[] = [];
        for await (const part of slow) parts.push(Buffer.from(part));
        assert.deepEqual(replyOf(Buffer.concat(parts).toString('latin1')).body, wavOf(ONE, long));
      }));

    it('that leaves in the middle of a text still spoken disturbs neither the text nor other players', () =>
      served(async ({ publishFirst, requests }) => {
        const { url, add, end } = await publishFirst(ONE);
        const quitter = net.connect(Number(new URL(url).port), '127.0.0.1');
        quitter.write(`GET ${new URL(url).pathname} HTTP/1.1\r\nHost: player\r\n\r\n`);
        await once(quitter, 'readable');
        quitter.resetAndDestroy();
        const other = ask(url, 'GET URL HTTP/1.1', ...CLOSE, 'Range: bytes=44-');
        await until(() => requests.size === 2);
        add(TWO);
        await end();
        assert.match((await other).status, / 206 /);
        assert.deepEqual((await ask(url, 'GET URL HTTP/1.1', ...CLOSE)).body, WAV);
      }));

    it('that looks for the end of a text still spoken gets a 416 at once, and no header that invites it to seek', () =>
      served(async ({ publishFirst }) => {
        const { url, end } = await publishFirst(ONE);
        // WAV of unknown length: end of the claimed 4 GiB. ffmpeg: largest number.
        for (const start of ['4294967339', '9223372036854775807']) {
          const { status, body } = await ask(url, 'GET URL HTTP/1.1', ...CLOSE, `Range: bytes=${start}-`);
          assert.match(status, / 416 /);
          assert.equal(body.length, 0);
        }
        const { headers } = await ask(url, 'HEAD URL HTTP/1.1', ...CLOSE);
        assert.equal(headers.get('accept-ranges'), undefined);
        await end();
      }));

    it('that repeats the request after the text is done gets its exact length in header and WAV', () =>
      served(async ({ publishFirst }) => {
        const { url, add, end } = await publishFirst(ONE);
        const early = await ask(url, 'HEAD URL HTTP/1.1', ...CLOSE);
        assert.equal(early.headers.get('content-length'), undefined);
        add(TWO);
        await end();
        const { headers, body } = await ask(url, 'GET URL HTTP/1.1', ...CLOSE, 'Range: bytes=0-');
        assert.equal(headers.get('content-range'), `bytes 0-${WAV.length - 1}/${WAV.length}`);
        assert.deepEqual(body, WAV);
      }));
  });
}
