import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { administer } from '../../service/accounts/administer.js';
import { CLI } from '../support/cli.js';
import { toneFile } from '../support/service/service.js';
import { kill, useDataFolder } from './accounts/store/support.js';
import { spawned } from '../support/spawned.js';

const CREDITS = 1000;
const ROUNDS = 3;

/** The data in the replies of one round. The service must keep all of it. */
interface Answered {
  name: string;
  key: string;
  voices: string[];
  seconds: number;
  /** Speech requests without a reply. */
  open: number;
}

describe('the service after kill -9', () => {
  const data = useDataFolder();
  const children: ChildProcess[] = [];
  afterEach(async () => Promise.all(children.splice(0).map(kill)));

  async function serve() {
    const args = [CLI, '--port', '0', '--data', data.folder(), '--json', '--quiet'];
    const child = spawned(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
    children.push(child);
    const [line]: unknown[] = await once(readline.createInterface(child.stdout), 'line');
    return { child, ...z.object({ url: z.string(), key: z.string() }).parse(JSON.parse(String(line))) };
  }

  async function openAccount(name: string): Promise<string> {
    const command = { command: 'accounts create', name, tier: 'pro', credits: CREDITS };
    const reply = await administer(data.folder(), command);
    const made = z.object({ result: z.object({ key: z.object({ key: z.string() }) }) });
    return made.parse(reply).result.key.key;
  }

  async function clone(url: string, key: string): Promise<string> {
    const body = new FormData();
    body.append('name', 'Me');
    body.append('files', new Blob([toneFile(120, 1.5)]), 'me.wav');
    const init = { method: 'POST', headers: { 'x-sup-api-key': key }, body };
    const reply = await fetch(`${url}/v1/custom-voices/cloned-voice`, init);
    return z.object({ voice_id: z.string() }).parse(await reply.json()).voice_id;
  }

  /** Sends speech requests in a loop, and adds up the audio of the replies. */
  async function speak(url: string, answered: Answered): Promise<void> {
    const headers = { 'x-sup-api-key': answered.key, 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'Hello.', language: 'en' });
    for (;;) {
      answered.open += 1;
      const reply = await fetch(`${url}/v1/text-to-speech/slt`, { method: 'POST', headers, body });
      answered.open -= 1;
      answered.seconds += Number(reply.headers.get('x-audio-length') ?? 0);
    }
  }

  async function round(name: string): Promise<Answered> {
    const { child, url } = await serve();
    const key = await openAccount(name);
    const answered: Answered = { name, key, voices: [await clone(url, key)], seconds: 0, open: 0 };
    const speakers = [1, 2].map(async () => speak(url, answered).catch(() => undefined));
    while (answered.seconds === 0) await delay(10);
    await delay(300 * Math.random());
    await kill(child);
    await Promise.all(speakers);
    return answered;
  }

  it(`keeps every key, voice, charge and usage record of its replies after ${ROUNDS} kills`, async () => {
    const rounds: Answered[] = [];
    for (let index = 0; index < ROUNDS; index++) rounds.push(await round(`round ${index}`));
    await data.withLedger(({ accounts, keys, customVoices, usage }) => {
      const day = (time: number) => new Date(time).toISOString().slice(0, 10);
      const days = { start_date: day(Date.now() - 86_400_000), end_date: day(Date.now()) };
      for (const { name, key, voices, seconds, open } of rounds) {
        const { id, credits } = accounts.named(name);
        assert.equal(keys.authenticate(key)?.account.id, id);
        for (const voice of voices) assert.equal(customVoices.get(id, voice).name, 'Me');
        const taken = CREDITS - (credits ?? 0);
        assert.ok(seconds > 0 && taken >= seconds - 1e-6, `${taken} s taken, ${seconds} s answered for`);
        assert.ok(taken <= seconds + open * 2, `${taken} s taken, ${seconds} s answered for`);
        const { usages } = usage.byVoice(id, days);
        const used = usages.reduce((sum, { total_minutes_used }) => sum + total_minutes_used * 60, 0);
        assert.ok(Math.abs(used - taken) < 1e-6, `${used} s recorded, ${taken} s taken`);
      }
    });
    const { url, key } = await serve();
    assert.equal((await fetch(`${url}/v1/credits`, { headers: { 'x-sup-api-key': key } })).status, 200);
  });
});
