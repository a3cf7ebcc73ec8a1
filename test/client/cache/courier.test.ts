import assert from 'node:assert/strict';
import childProcess, { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { AudioStore } from '../../../client/cache/audio-store.js';
import { cacheKey } from '../../../client/cache/cache-key.js';
import { Courier } from '../../../client/cache/courier.js';
import { transportDefaults } from '../../../client/http/transport-options.js';
import { leavingNothing } from '../../support/leftovers.js';
import { rejection } from '../../support/rejection.js';
import { KEY, withClient } from '../../support/service/client-for.js';
import { refused, type Script, spoken, withServer } from '../../support/net/scripted-server.js';
import { never, until } from '../../support/waiting.js';
import { useFolder } from '../../support/folder.js';
import { namesIn, speechOf } from './support.js';

function hasEnded(id = 0): boolean {
  try {
    return !process.kill(id, 0);
  } catch {
    return true;
  }
}

const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };
const outlives = { outlives: true };
const speaks: Script = () => spoken({ seconds: 0.5 });
/** A service that never replies. */
const waits: Script = ({ gone }) =>
  new Promise((resolve) => gone.addEventListener('abort', () => resolve({ lost: true })));

const setupOf = (url: string) => ({ url, apiKey: KEY, transport: transportDefaults, network: {} });

describe('a request that outlives its program', () => {
  const folder = useFolder();
  const cache = () => ({ folder: folder('cache') });
  const notes = () => namesIn(folder('cache/flights')).catch(() => []);
  const noteOf = (url: string) => folder('cache/flights', `${cacheKey(url, request)}.flight`);

  /** Lets a note of `request` look as if it was last written some seconds ago. */
  async function age(url: string, seconds: number): Promise<void> {
    const time = new Date(Date.now() - seconds * 1000);
    await utimes(noteOf(url), time, time);
  }

  /** Notes that a process requests the piece of `request`. */
  async function note(url: string, process: number, secondsAgo = 0, computer = hostname()): Promise<void> {
    await mkdir(folder('cache/flights'), { recursive: true });
    await writeFile(noteOf(url), `${process} ${computer}`);
    await age(url, secondsAgo);
  }

  it('is sent by another process with the key, noted only until its audio is stored, and leaves nothing open', () =>
    leavingNothing(() =>
      withServer(speaks, async ({ url, requests }) => {
        await withClient({ url, cache: cache() }, async (client) => {
          const first = await client.speak(request, outlives);
          const again = await client.speak(request, outlives);
          assert.deepEqual([first.cached, again.cached, requests.length], [0, 1, 1]);
          assert.equal(requests[0]?.headers['x-sup-api-key'], KEY);
          assert.ok(!inspect(client, { depth: 20 }).includes(KEY));
          await until(async () => (await notes()).length === 0);
        });
      }),
    ));

  it('is sent without a window on the screen of Windows', () =>
    withServer(speaks, async ({ url }) => {
      const fork = mock.method(childProcess, 'fork');
      try {
        await withClient({ url, cache: cache() }, (client) => client.speak(request, outlives));
        const [call] = fork.mock.calls;
        const options: object = call?.arguments[2] ?? {};
        assert.equal('windowsHide' in options && options.windowsHide, true);
      } finally {
        fork.mock.restore();
      }
    }));

  it('is noted before the service gets it, in a file of the user alone without key and text', () => {
    const script: Script = async () => {
      const [name = ''] = await notes();
      const file = folder('cache/flights', name);
      assert.equal((await readFile(file, 'utf8')).replace(/^\d+ /, ''), hostname());
      if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
      return spoken();
    };
    return withServer(script, ({ url }) =>
      withClient({ url, cache: cache() }, (client) => client.speak(request, outlives)),
    );
  });

  it('fails with the error of the service, and ends when its caller stops', () =>
    withServer(
      (...seen) => (seen[0].json['text'] === 'Wait.' ? waits(...seen) : refused(402)),
      async ({ url, requests }) => {
        await withClient({ url, cache: cache() }, async (client) => {
          const error = await rejection(client.speak(request, outlives));
          assert.deepEqual([error.code, error.status], ['out-of-credits', 402]);
        });
        await withClient({ url, cache: cache() }, async (client) => {
          const stopping = new AbortController();
          const speaking = rejection(
            client.speak({ ...request, text: 'Wait.' }, { ...outlives, signal: stopping.signal }),
          );
          await until(() => requests.length === 2);
          stopping.abort();
          assert.equal((await speaking).code, 'aborted');
          await until(() => requests[1]?.gone.aborted === true);
          await until(async () => (await notes()).length === 0);
        });
      },
    ));

  it('is waited for by other programs as long as it takes, and the process shows that it lives', () =>
    withServer(waits, ({ url, requests }) =>
      withClient({ url, cache: cache(), attempts: 1 }, async (client) => {
        const stopping = new AbortController();
        const speaking = rejection(client.speak(request, { ...outlives, signal: stopping.signal }));
        await until(() => requests.length === 1);
        const other = new Courier({ ...setupOf(url), folder: folder('cache'), maxBytes: 1_000_000 });
        const isAwaited = () => other.isRequested(cacheKey(url, request));
        await age(url, 11);
        await until(isAwaited);
        stopping.abort();
        assert.equal((await speaking).code, 'aborted');
        await until(async () => !(await isAwaited()));
      }),
    ));

  it('ends with its client', () =>
    leavingNothing(() =>
      withServer(waits, async ({ url, requests }) => {
        const speaking = await withClient({ url, cache: cache() }, async (client) => {
          const failing = rejection(client.speak(request, outlives));
          await until(() => requests.length === 1);
          return [failing];
        });
        for (const failing of speaking) assert.equal((await failing).code, 'aborted');
        await until(() => requests[0]?.gone.aborted === true);
      }),
    ));

  it('is sent again without the other process if that process is killed', () =>
    withServer(
      (...seen) => (seen[1] === 0 ? waits(...seen) : speaks(...seen)),
      ({ url, requests }) =>
        withClient({ url, cache: cache() }, async (client) => {
          const speaking = client.speak(request, outlives);
          await until(() => requests.length === 1);
          process.kill(parseInt(await readFile(noteOf(url), 'utf8'), 10), 'SIGKILL');
          assert.equal((await speaking).duration, 0.5);
          await client.speak({ ...request, text: 'Another text.' }, outlives);
          assert.equal(requests.length, 3);
        }),
    ));

  it('needs the other process only while pieces are in work, and starts it again', () => {
    const processes: number[] = [];
    const script: Script = async () => {
      const [name = ''] = await notes();
      processes.push(parseInt(await readFile(folder('cache/flights', name), 'utf8'), 10));
      return spoken();
    };
    return leavingNothing(() =>
      withServer(script, async ({ url }) => {
        const courier = new Courier({ ...setupOf(url), folder: folder('cache'), maxBytes: 1_000_000 }, 10);
        const http = { method: 'POST', path: '/', headers: {}, body: '{}' } as const;
        for (const key of ['a', 'b']) {
          const deliver = courier.deliverer(key.repeat(64));
          const direct = () => Promise.reject(new Error('sent directly'));
          assert.equal((await deliver(http, never, 1_000_000, direct)).status, 200);
          courier.settled(key.repeat(64));
          await until(async () => (await notes()).length === 0 && hasEnded(processes.at(-1)));
        }
        assert.notEqual(processes[0], processes[1]);
        await courier.close();
      }),
    );
  });

  it('waits for the audio that the process of a killed program stores', () =>
    withServer(speaks, ({ url, requests }) =>
      withClient({ url, cache: cache() }, async (client) => {
        await note(url, process.ppid);
        let isSpoken = false;
        const speaking = client.speak(request, outlives).finally(() => {
          isSpoken = true;
        });
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.ok(!isSpoken);
        const store = new AudioStore(folder('cache'), 1_000_000);
        await store.put(cacheKey(url, request), speechOf(0.7));
        await store.close();
        await writeFile(noteOf(url), '0');
        const { cached, duration } = await speaking;
        assert.deepEqual([cached, duration, requests.length], [1, 0.7, 0]);
      }),
    ));

  for (const [kind, id, age] of [
    ['an ended process', () => Number(execFileSync('sh', ['-c', 'echo $$'])), 0],
    ['another program that has got the process id', () => process.ppid, 11],
  ] as const)
    it(`does not wait for ${kind}`, () =>
      withServer(speaks, ({ url, requests }) =>
        withClient({ url, cache: cache() }, async (client) => {
          await note(url, id(), age);
          await client.speak(request, outlives);
          assert.equal(requests.length, 1);
        }),
      ));

  it('waits for a process of another computer with the same folder while it shows that it lives', () =>
    withServer(speaks, async ({ url }) => {
      const courier = new Courier({ ...setupOf(url), folder: folder('cache'), maxBytes: 1_000_000 });
      // No process of this computer has this id.
      for (const [age, isAwaited] of [
        [0, true],
        [11, false],
      ] as const) {
        await note(url, 2 ** 30, age, 'garage');
        assert.equal(await courier.isRequested(cacheKey(url, request)), isAwaited);
      }
    }));

  it('removes notes of an hour ago', () =>
    withServer(speaks, ({ url }) =>
      withClient({ url, cache: cache() }, async (client) => {
        await note(url, process.ppid, 3601);
        await writeFile(folder('cache/flights/other'), '');
        await client.speak({ ...request, text: 'Another text.' }, outlives);
        await until(async () => (await readdir(path.dirname(noteOf(url)))).join() === 'other');
      }),
    ));

  it('speaks without notes if the folder of the cache cannot be written', () =>
    withServer(speaks, async ({ url }) => {
      await writeFile(folder('file'), '');
      await withClient({ url, cache: { folder: folder('file') } }, async (client) => {
        assert.equal((await client.speak(request, outlives)).duration, 0.5);
      });
    }));
});
