import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { AudioStore } from '../../../client/cache/audio-store.js';
import type { ToCourier } from '../../../client/cache/courier.js';
import { FlightNotes } from '../../../client/cache/flight-notes.js';
import { transportDefaults } from '../../../client/http/transport-options.js';
import { useFolder } from '../../support/folder.js';
import { type Script, refused, spoken, withServer } from '../../support/net/scripted-server.js';
import { spawned } from '../../support/spawned.js';
import { until } from '../../support/waiting.js';
import { keyOf } from './support.js';

const PROGRAM = path.join(__dirname, '../../../client/cache/courier-program.ts');

describe('the requests of a killed program', () => {
  const folder = useFolder();
  const notes = () => new FlightNotes(folder('cache'));

  /** Whether the audio of a text is in the cache. */
  async function isStored(text: string): Promise<boolean> {
    const store = new AudioStore(folder('cache'), 1_000_000);
    const isStored = await store.has(keyOf(text));
    await store.close();
    return isStored;
  }

  /** Runs `work` with the process that sends requests. `kill` ends the channel, as the end of the program does. */
  async function withCourier(
    url: string,
    work: (courier: { send(text: string): Promise<void>; kill(): void }) => Promise<void>,
  ): Promise<void> {
    const courier = spawned(fork(PROGRAM, [], { serialization: 'advanced', execArgv: process.execArgv }));
    const ended = once(courier, 'exit');
    const post = (message: ToCourier & { id?: number }) => void courier.send(message);
    const ofCache = { folder: folder('cache'), maxBytes: 1_000_000 };
    post({
      kind: 'setup',
      setup: { url, apiKey: 'key', transport: transportDefaults, network: {}, ...ofCache },
    });
    let count = 0;
    await work({
      async send(text) {
        const [key, id] = [keyOf(text), (count += 1)];
        await notes().write(key, courier.pid ?? 0);
        const request = { method: 'POST', path: '/speak', headers: {}, body: text } as const;
        post({ kind: 'send', id, key, request, maxBytes: 1_000_000 });
      },
      kill: () => courier.disconnect(),
    });
    await ended;
  }

  it('are stored as soon as their replies arrive, not behind a slow one', () => {
    const slow = new AbortController();
    const script: Script = async ({ body }) => {
      if (body.toString() === 'slow') await until(() => slow.signal.aborted);
      return spoken();
    };
    return withServer(script, ({ url, requests }) =>
      withCourier(url, async ({ send, kill }) => {
        await send('slow');
        await send('quick');
        await until(() => requests.length === 2);
        kill();
        await until(async () => (await isStored('quick')) && !(await notes().isRequested(keyOf('quick'), 0)));
        slow.abort();
        await until(() => isStored('slow'));
      }),
    );
  });

  it('are noted until their last try has ended', () => {
    const second = new AbortController();
    const script: Script = async (_request, index) => {
      if (index === 0) return refused(503);
      if (index === 1) await until(() => second.signal.aborted);
      return spoken();
    };
    return withServer(script, ({ url, requests }) =>
      withCourier(url, async ({ send, kill }) => {
        await send('again');
        await until(() => requests.length === 1);
        await send('again');
        await until(() => requests.length === 2);
        await send('other');
        await until(() => requests.length === 3);
        kill();
        await until(() => isStored('other'));
        assert.ok(await notes().isRequested(keyOf('again'), 0));
        second.abort();
        await until(() => isStored('again'));
      }),
    );
  });
});
