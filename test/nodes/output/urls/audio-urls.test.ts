import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { type Delivered, checkDestination } from '../../../../nodes/output/destination.js';
import { type Flow, speechNode, withFlow } from '../../../support/node-red/flow.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { serving } from '../../../support/net/serve.js';
import { AnnouncedSound } from '../../../../nodes/runtime/activity/sounds.js';
import { headerOf, type Speaking, speaking } from '../speaking.js';
import { never, until } from '../../../support/waiting.js';

const bytes = (length: number, seed = 1) =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 7 + seed * 31) % 256));
const FIRST = bytes(100_000, 1);
const SECOND = bytes(150_000, 2);
const WHOLE = Buffer.concat([headerOf(FIRST.length + SECOND.length), FIRST, SECOND]);

/** A speech with a URL. */
interface Published extends Speaking {
  url: string;
  /** Resolves when the delivery is over, with its error if it failed. */
  over: Promise<unknown>;
}

describe('the URL of a speech', () => {
  const folder = useDataFolder();
  const stored = () => readdir(path.join(folder(), 'herald', 'audio'));

  /** Runs `work` with a Node-RED that serves audio. */
  const served = (work: (origin: string, flow: Flow) => Promise<void>) =>
    withFlow(
      [speechNode('text-to-speech', { account: '' })],
      (flow) => serving(flow.RED.httpNode, (origin) => work(origin, flow)),
      { settings: { userDir: folder() } },
    );

  const deliver = async (
    flow: Flow,
    base_url: string,
    url_when: 'first' | 'complete',
    speech: Speaking,
    sound?: AnnouncedSound,
  ) => {
    const delivery = await checkDestination(
      flow.RED,
      { output: 'url', base_url, url_when, sound },
      () => ({}),
      never,
    );
    return delivery.deliver(speech.rendering);
  };
  const urlOf = ({ value }: IteratorResult<Delivered<unknown>, void>): string => {
    assert.ok(value !== undefined);
    return String(value.payload);
  };

  /** Publishes a speech of three pieces with its first piece. */
  const publishFirst = async (origin: string, flow: Flow, pieces = 3): Promise<Published> => {
    const speech = speaking(pieces);
    const results = await deliver(flow, origin, 'first', speech);
    void speech.add(FIRST);
    const url = urlOf(await results.next());
    const over = results.next().then(
      ({ done }) => assert.equal(done, true),
      (error: unknown) => error,
    );
    return { ...speech, url, over };
  };

  /** Publishes a complete speech. */
  const publish = async (
    origin: string,
    flow: Flow,
    second = SECOND,
    sound?: AnnouncedSound,
  ): Promise<string> => {
    const speech = speaking(2);
    const results = await deliver(flow, origin, 'complete', speech, sound);
    const result = results.next();
    void speech.add(FIRST);
    void speech.add(second);
    speech.end();
    return urlOf(await result);
  };

  it('ends the replies of players that still fetch a finished announcement at its stop, and none starts after a second stop', () =>
    served(async (origin, flow) => {
      const sound = new AnnouncedSound('node', 0);
      const url = await publish(origin, flow, bytes(30_000_000), sound);
      sound.isOpen = false;
      const reply = await fetch(url);
      const reader = reply.body?.getReader() ?? assert.fail('no body');
      await reader.read();
      assert.equal(sound.streams, 1);
      sound.stop('stopped');
      await assert.rejects(async () => {
        while (!(await reader.read()).done);
      });
      await until(() => sound.streams === 0);
      // A second stop comes while the players try again.
      sound.stop('stopped');
      const range = { headers: { range: 'bytes=1000000-' } };
      assert.deepEqual([(await fetch(url)).status, (await fetch(url, range)).status], [404, 404]);
    }));

  it('plays a stopped announcement again from its start, and never from its middle', () =>
    served(async (origin, flow) => {
      const sound = new AnnouncedSound('node', 0);
      const url = await publish(origin, flow, SECOND, sound);
      sound.stop('stopped');
      const range = { headers: { range: 'bytes=1000-' } };
      const audioOf = async (options?: object) =>
        Buffer.from(await (await fetch(url, options)).arrayBuffer());
      assert.equal((await fetch(url, range)).status, 404);
      assert.deepEqual(await audioOf(), WHOLE);
      assert.deepEqual(await audioOf(range), WHOLE.subarray(1000));
    }));

  it('can be played before the text is done: the reply continues until the last piece', () =>
    served(async (origin, flow) => {
      const { url, add, end, over } = await publishFirst(origin, flow);
      const reply = await fetch(url);
      assert.deepEqual([reply.status, reply.headers.get('content-length')], [200, null]);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.equal(reply.headers.get('content-type'), 'audio/wav');
      const reader = reply.body?.getReader() ?? assert.fail('no body');
      const { value } = await reader.read();
      assert.deepEqual(Buffer.from(value ?? []).subarray(0, 44), headerOf(undefined));
      await add(SECOND);
      end();
      assert.equal(await over, undefined);
      let length = value?.length ?? 0;
      for (let next = await reader.read(); !next.done; next = await reader.read())
        length += next.value.length;
      assert.equal(length, WHOLE.length);
    }));

  it('has an unknown length at first, and the exact header and Content-Length when the text is done', () =>
    served(async (origin, flow) => {
      const { url, add, end, over } = await publishFirst(origin, flow);
      const before = await fetch(url, { method: 'HEAD' });
      assert.deepEqual([before.status, before.headers.get('content-length')], [200, null]);
      await add(SECOND);
      end();
      await over;
      const head = await fetch(url, { method: 'HEAD' });
      assert.equal(head.headers.get('content-length'), String(WHOLE.length));
      const reply = await fetch(url);
      assert.equal(reply.headers.get('content-length'), String(WHOLE.length));
      assert.deepEqual(Buffer.from(await reply.arrayBuffer()), WHOLE);
    }));

  it('serves a player that reconnects with a range while the text is still spoken', () =>
    served(async (origin, flow) => {
      const { url, add, end } = await publishFirst(origin, flow);
      const start = 60_000;
      const reply = await fetch(url, { headers: { range: `bytes=${start}-` } });
      assert.equal(reply.status, 206);
      assert.match(reply.headers.get('content-range') ?? '', /^bytes 60000-\d+\/\*$/);
      const rest = reply.arrayBuffer();
      await add(SECOND);
      end();
      assert.deepEqual(Buffer.from(await rest), WHOLE.subarray(start));
    }));

  it('waits with the reply to a range that is not spoken yet', () =>
    served(async (origin, flow) => {
      const { url, add, end } = await publishFirst(origin, flow);
      const start = 44 + FIRST.length + 1000;
      const reply = fetch(url, { headers: { range: `bytes=${start}-` } });
      await add(SECOND);
      end();
      const { status, ...late } = await reply.then(async (answer) => ({
        status: answer.status,
        body: Buffer.from(await answer.arrayBuffer()),
      }));
      assert.equal(status, 206);
      assert.deepEqual(late.body, WHOLE.subarray(start));
    }));

  it('answers a probe for the first bytes while the text is still spoken', () =>
    served(async (origin, flow) => {
      const { url, end } = await publishFirst(origin, flow);
      const reply = await fetch(url, { headers: { range: 'bytes=0-3' } });
      assert.deepEqual([reply.status, reply.headers.get('content-range')], [206, 'bytes 0-3/*']);
      assert.equal(await reply.text(), 'RIFF');
      end();
    }));

  const ranges: [string, number, string | null, Buffer][] = [
    ['bytes=0-3', 206, `bytes 0-3/${WHOLE.length}`, WHOLE.subarray(0, 4)],
    ['bytes=1000-', 206, `bytes 1000-${WHOLE.length - 1}/${WHOLE.length}`, WHOLE.subarray(1000)],
    ['bytes=-5', 206, `bytes ${WHOLE.length - 5}-${WHOLE.length - 1}/${WHOLE.length}`, WHOLE.subarray(-5)],
    ['bytes=249000-999999', 206, `bytes 249000-${WHOLE.length - 1}/${WHOLE.length}`, WHOLE.subarray(249_000)],
    ['bytes=999999-', 416, `bytes */${WHOLE.length}`, Buffer.alloc(0)],
    ['bytes=0-1,10-12', 200, null, WHOLE],
    ['bytes=x', 416, `bytes */${WHOLE.length}`, Buffer.alloc(0)],
    ['seconds=1-2', 200, null, WHOLE],
  ];
  it('answers every kind of range of a complete speech as RFC 9110 requires', () =>
    served(async (origin, flow) => {
      const url = await publish(origin, flow);
      for (const [range, status, content, body] of ranges) {
        const reply = await fetch(url, { headers: { range } });
        assert.deepEqual([range, reply.status, reply.headers.get('content-range')], [range, status, content]);
        assert.deepEqual(Buffer.from(await reply.arrayBuffer()), body, range);
      }
    }));

  it('ignores a range whose If-Range names another version, and confirms an unchanged version with 304', () =>
    served(async (origin, flow) => {
      const url = await publish(origin, flow);
      const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? assert.fail('no ETag');
      const part = async (version: string) => {
        const reply = await fetch(url, { headers: { range: 'bytes=0-3', 'if-range': version } });
        return [reply.status, (await reply.arrayBuffer()).byteLength];
      };
      assert.deepEqual(await part(etag), [206, 4]);
      assert.deepEqual(await part('"other"'), [200, WHOLE.length]);
      const again = await fetch(url, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
      assert.equal(again.status, 304);
    }));

  it('serves many players at once, and a player that disconnects disturbs none', () =>
    served(async (origin, flow) => {
      const { url, add, end } = await publishFirst(origin, flow);
      const quitter = await fetch(url);
      await quitter.body?.cancel();
      const players = Array.from({ length: 30 }, async () =>
        Buffer.from(await (await fetch(url)).arrayBuffer()),
      );
      await add(SECOND);
      end();
      for (const audio of await Promise.all(players))
        assert.deepEqual(audio.subarray(44), WHOLE.subarray(44));
    }));

  it('ends the connection of a player with an error if the speech fails, and is then unknown', () =>
    served(async (origin, flow) => {
      const { url, fail, over } = await publishFirst(origin, flow);
      const reply = await fetch(url);
      const body = assert.rejects(reply.arrayBuffer());
      const old = await http10(url);
      fail(new Error('the service died'));
      await body;
      assert.match(await old.ended, /ECONNRESET/);
      assert.match(String(await over), /the service died/);
      assert.equal((await fetch(url)).status, 404);
      assert.ok(!(await stored()).some((name) => url.includes(name) || name.endsWith('.part')));
    }));

  it('removes the unfinished audio if the node stops pulling', () =>
    served(async (origin, flow) => {
      const speech = speaking(2);
      const results = await deliver(flow, origin, 'first', speech);
      void speech.add(FIRST);
      const url = urlOf(await results.next());
      await results.return();
      assert.equal((await fetch(url)).status, 404);
    }));

  it('allows pages of all origins to play the audio and to read its length', () =>
    served(async (origin, flow) => {
      const url = await publish(origin, flow);
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const reply = await fetch(url, { method, headers: { origin: 'http://tv.example' } });
        const { status, headers } = reply;
        await reply.arrayBuffer();
        assert.ok(status === 200 || status === 204);
        assert.equal(headers.get('access-control-allow-origin'), '*');
        if (method === 'OPTIONS') assert.match(headers.get('access-control-allow-headers') ?? '', /Range/);
        else assert.match(headers.get('access-control-expose-headers') ?? '', /Content-Length/);
      }
    }));

  it('has the DLNA headers that a player asks for', () =>
    served(async (origin, flow) => {
      const ask = { 'transferMode.dlna.org': 'Streaming', 'getcontentFeatures.dlna.org': '1' };
      const { url, end, over } = await publishFirst(origin, flow);
      const growing = await fetch(url, { method: 'HEAD', headers: ask });
      assert.match(growing.headers.get('contentFeatures.dlna.org') ?? '', /OP=00;.*FLAGS=05700000/);
      end();
      await over;
      const { headers } = await fetch(url, { method: 'HEAD', headers: ask });
      assert.equal(headers.get('transferMode.dlna.org'), 'Streaming');
      assert.equal(
        headers.get('contentFeatures.dlna.org'),
        'DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000',
      );
      const plain = await fetch(url, { method: 'HEAD' });
      assert.equal(plain.headers.get('contentFeatures.dlna.org'), null);
    }));

  it('has at least 128 random bits, and other names in its folder are unknown', () =>
    served(async (origin, flow) => {
      const url = await publish(origin, flow);
      const [, name = ''] = /\/herald\/audio\/(\w+)\.wav$/.exec(url) ?? [];
      assert.match(name, /^[0-9a-f]{32,}$/);
      for (const other of ['..%2f..%2fflows.json', '.', 'x.wav', name, `${name}.mp3`, '%00']) {
        const { status } = await fetch(`${origin}/herald/audio/${other}`);
        assert.ok(status === 404 || status === 400, other);
      }
    }));

  it('stays valid when the nodes are deployed again, and a player goes on during the deploy', () =>
    served(async (origin, flow) => {
      // More than the buffers of a connection hold.
      const long = Buffer.alloc(20_000_000);
      const url = await publish(origin, flow, long);
      const slow = net.connect(Number(new URL(origin).port), '127.0.0.1');
      slow.write(`GET ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      await once(slow, 'readable');
      await flow.deploy([speechNode('text-to-speech', { account: '' })], 'full');
      let length = 0;
      for await (const piece of slow) length += Buffer.from(piece).length;
      assert.ok(length > long.length);
      assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
    }));

  it('is unknown while no node serves audio, and open replies end with an error', () =>
    served(async (origin, flow) => {
      const { url, over, end } = await publishFirst(origin, flow);
      const reply = await fetch(url);
      const body = assert.rejects(reply.arrayBuffer());
      await flow.close();
      assert.equal((await fetch(url)).status, 404);
      await body;
      end();
      await over;
    }));

  it('is unknown after its file was deleted', () =>
    served(async (origin, flow) => {
      const url = await publish(origin, flow);
      await rm(path.join(folder(), 'herald', 'audio', path.basename(url)));
      const reply = await fetch(url);
      assert.equal(reply.status, 404);
      assert.match(await reply.text(), /expired/);
      assert.equal((await fetch(await publish(origin, flow), { method: 'HEAD' })).status, 200);
    }));
});

/** Requests a URL with HTTP 1.0. Resolves with the first bytes; `ended` resolves with the error of the connection. */
async function http10(url: string): Promise<{ ended: Promise<string> }> {
  const { port, pathname } = new URL(url);
  const socket = net.connect(Number(port), '127.0.0.1');
  const ended = new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(String(error)));
    socket.on('end', () => resolve('end'));
  });
  socket.write(`GET ${pathname} HTTP/1.0\r\n\r\n`);
  let received = 0;
  socket.on('data', (data) => (received += data.length));
  await until(() => received > 44);
  return { ended };
}
