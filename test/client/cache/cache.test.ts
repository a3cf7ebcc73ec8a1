import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createClient, openCache } from '../../../client/index.js';
import { KEY, withClient, withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';
import {
  refused,
  type Script,
  type Scripted,
  spoken,
  withServer,
} from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';
import { useFolder } from '../../support/folder.js';
import { namesIn } from './support.js';

const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };
/** About 180 characters each, so that each sentence is a chunk. */
const longText = Array.from(
  { length: 9 },
  (_, index) => `Sentence ${index + 1} ${'goes on and on '.repeat(11)}to its end.`,
).join(' ');
const numberOf = (json: Record<string, unknown>) => Number(/^Sentence (\d+)/.exec(String(json['text']))?.[1]);
const charged = (seconds: number): Scripted => {
  const reply = spoken({ seconds });
  return { ...reply, headers: { ...reply.headers, 'x-audio-length': String(seconds) } };
};
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A script whose replies wait until the test opens the gate. */
function gated(reply: Script) {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const script: Script = async (seen, index) => {
    await Promise.race([gate, new Promise((resolve) => seen.gone.addEventListener('abort', resolve))]);
    return reply(seen, index);
  };
  return { script, open };
}

describe('the cache of a client', () => {
  const folder = useFolder();
  const cache = () => ({ folder: folder('cache') });

  it('speaks a repeated text without a request and without a charge, also after a restart', () =>
    withServer(
      () => charged(0.5),
      async ({ url, requests }) => {
        const first = await withClient({ url, cache: cache() }, (client) => client.speak(request));
        assert.deepEqual([first.cached, first.chargedSeconds], [0, 0.5]);
        const again = await withClient({ url, cache: cache() }, (client) => client.speak(request));
        assert.deepEqual([again.cached, again.chargedSeconds], [1, 0]);
        assert.deepEqual(Buffer.from(again.audio), Buffer.from(first.audio));
        assert.equal(requests.length, 1);
      },
    ));

  it('does not read or fill the cache if the caller turns it off', () =>
    withService(
      () => charged(0.5),
      async (client, { requests }) => {
        for (const cache of [false, undefined, false]) await client.speak(request, { cache });
        const speech = await client.speak(request);
        assert.equal(speech.cached, 1);
        assert.equal(requests.length, 3);
      },
      { cache: cache() },
    ));

  it('resumes a long text at the piece that failed', () =>
    withService(
      ({ json }, index) => (numberOf(json) === 7 && index < 7 ? refused(400) : charged(0.1)),
      async (client, { requests }) => {
        const error = await rejection(client.speak({ ...request, text: longText }));
        assert.equal(error.chunk?.index, 6);
        const sent = requests.length;
        const speech = await client.speak({ ...request, text: longText });
        assert.deepEqual([speech.cached, speech.chargedSeconds], [6, 0.3]);
        assert.equal(requests.length - sent, 3);
      },
      { cache: cache(), concurrency: 1 },
    ));

  it('does not store speech of another voice, so that the requested voice speaks the next time', () =>
    withService(
      (_seen, index) => {
        const reply = charged(0.5);
        const fallback = { 'x-voice-fallback': 'slt', 'x-voice-fallback-reason': 'no%20memory' };
        return index === 0 ? { ...reply, headers: { ...reply.headers, ...fallback } } : reply;
      },
      async (client, { requests }) => {
        const first = await client.speak(request);
        const second = await client.speak(request);
        const third = await client.speak(request);
        assert.deepEqual(
          [first, second, third].map(({ voiceFallback, cached }) => [voiceFallback, cached]),
          [
            ['slt', 0],
            [undefined, 0],
            [undefined, 1],
          ],
        );
        assert.match(String(first.warnings), /^the voice .* failed, so slt spoke: no memory$/);
        assert.deepEqual([second.warnings, third.warnings], [[], []]);
        assert.equal(requests.length, 2);
      },
      { cache: cache() },
    ));

  it('stores no error', () =>
    withService(
      (_seen, index) => [refused(500), refused(404), refused(402)][index] ?? spoken(),
      async (client, { requests }) => {
        for (const code of ['service-failed', 'not-found', 'out-of-credits'])
          assert.equal((await rejection(client.speak(request))).code, code);
        assert.deepEqual(await namesIn(folder()), []);
        assert.equal(requests.length, 3);
      },
      { cache: cache(), attempts: 1 },
    ));

  it('pays once for a text that is sent ten times at once, by several clients and accounts', () => {
    const { script, open } = gated(() => charged(0.5));
    return withServer(script, async ({ url, requests }) => {
      const keys = ['first-key', 'second-key', 'third-key', 'fourth-key', 'fifth-key'];
      const clients = keys.map((apiKey) => createClient({ url, apiKey, cache: cache() }));
      const speeches = clients.flatMap((client) => [client.speak(request), client.speak(request)]);
      await until(() => requests.length > 0);
      open();
      const results = await Promise.all(speeches);
      assert.equal(requests.length, 1);
      const paid = results.filter(({ chargedSeconds }) => chargedSeconds === 0.5);
      const free = results.filter(({ chargedSeconds, cached }) => chargedSeconds === 0 && cached === 1);
      assert.deepEqual([paid.length, free.length], [1, 9]);
      await Promise.all(clients.map((client) => client.close()));
    });
  });

  it('gives callers at once audio in separate memory', () =>
    withService(
      () => charged(0.5),
      async (client) => {
        const [first, second] = await Promise.all([client.speak(request), client.speak(request)]);
        const expected = Buffer.from(second.audio);
        first.audio.fill(0);
        assert.deepEqual(Buffer.from(second.audio), expected);
      },
      { cache: cache() },
    ));

  it('continues a shared call until its last caller stops', () => {
    const { script, open } = gated(() => spoken());
    return withService(
      script,
      async (client, { requests }) => {
        const stopping = [new AbortController(), new AbortController()];
        const stopped = stopping.map(({ signal }) => client.speak(request, { signal }));
        await until(() => requests.length > 0);
        const patient = client.speak(request);
        await new Promise((resolve) => setImmediate(resolve));
        for (const controller of stopping) controller.abort();
        for (const speech of stopped) assert.equal((await rejection(speech)).code, 'aborted');
        assert.equal(requests[0]?.gone.aborted, false);
        open();
        assert.ok((await patient).audio.length > 0);
        assert.equal(requests.length, 1);
      },
      { cache: cache() },
    );
  });

  it('aborts a shared call when its last caller stops, and starts a new one for the next caller', () => {
    const { script, open } = gated(() => spoken());
    return withService(
      script,
      async (client, { requests }) => {
        const stopping = new AbortController();
        const speeches = [1, 2].map(() => client.speak(request, { signal: stopping.signal }));
        await until(() => requests.length > 0);
        stopping.abort();
        for (const speech of speeches) assert.equal((await rejection(speech)).code, 'aborted');
        await until(() => requests[0]?.gone.aborted === true);
        open();
        assert.equal((await client.speak(request)).cached, 0);
        assert.equal(requests.length, 2);
      },
      { cache: cache() },
    );
  });

  it('has the number of sent requests in the error of a caller that stops', () => {
    const { script, open } = gated(() => charged(0.5));
    return withService(
      script,
      async (client, { requests }) => {
        const stop = new AbortController();
        const stopped = rejection(client.speak(request, { signal: stop.signal }));
        await until(() => requests.length === 1);
        stop.abort();
        assert.equal((await stopped).attempts, 1);
        const early = await rejection(client.speak(request, { signal: AbortSignal.abort() }));
        assert.equal(early.attempts, 0);
        open();
      },
      { cache: cache() },
    );
  });

  it('rejects all callers of an account with the error of the shared call', () => {
    const { script, open } = gated(() => refused(400));
    return withService(
      script,
      async (client, { requests }) => {
        const speeches = [1, 2, 3].map(() => client.speak(request));
        await until(() => requests.length > 0);
        open();
        const codes = await Promise.all(speeches.map(async (speech) => (await rejection(speech)).code));
        assert.deepEqual(codes, ['bad-request', 'bad-request', 'bad-request']);
        assert.equal(requests.length, 1);
      },
      { cache: cache() },
    );
  });

  it('sends the request with the next account if the account of the shared call fails or closes', () => {
    const { script, open } = gated(({ headers }) =>
      headers['x-sup-api-key'] === 'wrong' ? refused(401) : spoken(),
    );
    return withServer(script, async ({ url, requests }) => {
      const [wrong, closing, right] = ['wrong', 'closing', 'right'].map((apiKey) =>
        createClient({ url, apiKey, cache: cache() }),
      );
      assert.ok(wrong && closing && right);
      const refusedSpeech = rejection(wrong.speak(request));
      await until(() => requests.length === 1);
      const closedSpeech = rejection(closing.speak(request));
      const speech = right.speak(request);
      await pause(20);
      await closing.close();
      assert.equal((await closedSpeech).code, 'aborted');
      open();
      assert.equal((await refusedSpeech).code, 'unauthorized');
      assert.deepEqual([(await speech).cached, requests.length], [0, 2]);
      await Promise.all([wrong.close(), right.close()]);
    });
  });

  it('keeps audio of two services apart, unless both have one identity', () =>
    withServer(
      () => spoken({ value: 1 }),
      (one) =>
        withServer(
          () => spoken({ value: 2 }),
          async (other) => {
            const speak = (url: string, service?: string) =>
              withClient({ url, cache: { ...cache(), service } }, (client) => client.speak(request));
            const [first, second] = [await speak(one.url), await speak(other.url)];
            assert.notDeepEqual(Buffer.from(first.audio), Buffer.from(second.audio));
            await speak(one.url, 'local service');
            assert.equal((await speak(other.url, 'local service')).cached, 1);
          },
        ),
    ));

  it('yields the pieces of a stream in order, whether cached or not', () =>
    withService(
      ({ json }) => spoken({ value: numberOf(json), seconds: 0.1 }),
      async (client, { requests }) => {
        const sentences = longText.split(/(?<=end\.) /);
        for (const text of [sentences[2], sentences[5]]) await client.speak({ ...request, text: text ?? '' });
        const pieces = [];
        for await (const piece of client.stream({ ...request, text: longText })) pieces.push(piece);
        assert.deepEqual(
          pieces.map(({ audio }) => Buffer.from(audio).readInt16LE(44)),
          [1, 2, 3, 4, 5, 6, 7, 8, 9],
        );
        assert.deepEqual(
          pieces.filter(({ cached }) => cached).map(({ index }) => index),
          [2, 5],
        );
        assert.equal(requests.length, 9);
      },
      { cache: cache() },
    ));

  it('stops a stream at once while its pieces come from the cache', () =>
    withService(
      () => spoken(),
      async (client) => {
        await client.speak({ ...request, text: longText });
        const stopping = new AbortController();
        const pieces = client.stream({ ...request, text: longText }, { signal: stopping.signal });
        await pieces.next();
        stopping.abort();
        const rest = async () => {
          for await (const piece of pieces) void piece;
        };
        assert.equal((await rejection(rest())).code, 'aborted');
      },
      { cache: cache() },
    ));

  it('counts the seconds that each account saved', () =>
    withServer(
      () => charged(0.5),
      async ({ url }) => {
        const speak = (account: string) =>
          withClient({ url, cache: { ...cache(), account } }, (client) => client.speak(request));
        for (const account of ['kitchen', 'kitchen', 'hall', 'hall']) await speak(account);
        const opened = openCache(cache());
        assert.deepEqual(await opened.stats('kitchen'), { bytes: 12_288, entries: 1, savedSeconds: 0.5 });
        assert.equal((await opened.stats('hall')).savedSeconds, 1);
        await opened.clear();
        await opened.close();
        assert.equal((await speak('hall')).cached, 0);
      },
    ));

  it('speaks without an unhandled error if its folder is unusable, with one warning', () =>
    withServer(
      () => spoken(),
      async ({ url, requests }) => {
        await writeFile(folder('cache'), 'a file');
        const warnings: string[] = [];
        const warn = ({ english }: { english: string }) => warnings.push(english);
        await withClient({ url, cache: { ...cache(), warn } }, async (client) => {
          for (const text of ['One.', 'Two.', 'Three.']) {
            const { audio, cached } = await client.speak({ ...request, text });
            assert.deepEqual([audio.length > 0, cached], [true, 0]);
          }
        });
        assert.equal(requests.length, 3);
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? '', /^the audio cache .*: the path contains a file/);
      },
    ));

  it('writes the API key to no file', () =>
    withServer(
      () => refused(401),
      (refusing) =>
        withServer(
          () => charged(0.5),
          async ({ url }) => {
            await withClient({ url: refusing.url, cache: cache() }, (client) =>
              rejection(client.speak(request)),
            );
            for (let round = 0; round < 2; round += 1)
              await withClient({ url, cache: cache() }, (client) => client.speak(request));
            const names = await namesIn(folder('cache'));
            assert.equal(names.length, 2);
            for (const name of names) {
              assert.ok(!name.includes(KEY));
              assert.ok(!(await readFile(folder('cache', name), 'latin1')).includes(KEY));
            }
          },
        ),
    ));

  it('rejects invalid options with the name of the option', async () => {
    await mkdir(folder('cache'));
    const open = (maxBytes: number) => () =>
      createClient({ url: 'http://service', apiKey: KEY, cache: { ...cache(), maxBytes } });
    assert.throws(open(0), /cache\.maxBytes is 0: expected/);
    assert.throws(() => openCache({ folder: '' }), /cache\.folder/);
  });
});
