import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openLedger } from '../../../service/accounts/ledger.js';
import { UnrecordedUsage } from '../../../service/accounts/unrecorded-usage.js';
import { SampleFiles } from '../../../service/accounts/sample-files.js';
import { loadEngines } from '../../../service/voices/engines/engines.js';
import { noLog } from '../../../service/kit/log.js';
import { type Metrics, noMetrics } from '../../../service/metrics/metrics.js';
import type { SpeechCall, SpeechInput } from '../../../service/speech/speech-call.js';
import { type SpeechDependencies, startSpeech } from '../../../service/speech/start-speech.js';
import { lockDataFolder } from '../../../service/kit/data-lock.js';
import { Catalogue } from '../../../service/voices/catalogue/catalogue.js';
import type { SynthesizedAudio } from '../../../service/voices/workers/jobs.js';
import { SpeechSynthesis } from '../../../service/voices/workers/speech.js';

/** Its natural voice never finishes a text that begins with "Slow". */
const ENGINE = path.join(__dirname, '..', 'voices', 'engines', 'plug-ins', 'unhurried.mjs');
export const SLOW = { voice_id: 'en_GB-unhurried-medium', language: 'en', text: 'Slow words.', waits: true };

export const CREDITS = 1000;

/** Opens the parts behind all front ends, with one worker and an account with credits. */
export async function openSpeechPath(maxQueued = 1) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-path-'));
  const lock = await lockDataFolder(folder);
  const ledger = openLedger(lock);
  const speech = await SpeechSynthesis.start([ENGINE], { size: 1, maxQueued });
  const dependencies: SpeechDependencies = {
    speech,
    ledger,
    samples: await SampleFiles.open(path.join(folder, 'clones'), () => true),
    catalogue: new Catalogue(await loadEngines([ENGINE])),
    unrecorded: new UnrecordedUsage(noLog, (uses) => ledger.credits.recordEarlier(uses)),
    simpleVoiceAfter: 0,
    signer: undefined,
    defaultVoices: [],
    metrics: noMetrics,
    log: noLog,
  };
  const account = ledger.accounts.create({ name: 'caller', tier: 'pro', credits: CREDITS });
  const call = (signal = new AbortController().signal): SpeechCall => ({
    caller: { account, keyId: 'key-1' },
    signal,
  });
  return {
    dependencies,
    account,
    call,
    start: (request: SpeechInput, signal?: AbortSignal, metrics: Metrics = noMetrics) =>
      startSpeech({ ...dependencies, metrics }, request, call(signal), 'openai'),
    /** Seconds taken from the account. */
    spent: () => CREDITS - (ledger.accounts.get(account.id).credits ?? 0),
    async close() {
      await speech.close();
      ledger.close();
      await lock.release();
      await rm(folder, { recursive: true });
    },
  };
}

export type SpeechPath = Awaited<ReturnType<typeof openSpeechPath>>;

/** Reads all pieces. */
export async function collected(pieces: AsyncIterable<SynthesizedAudio>): Promise<SynthesizedAudio[]> {
  const all: SynthesizedAudio[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

export const secondsOf = (pieces: readonly SynthesizedAudio[]) =>
  pieces.reduce((sum, { seconds }) => sum + seconds, 0);

export const audioOf = (pieces: readonly SynthesizedAudio[]) =>
  Buffer.concat(pieces.map(({ audio }) => audio));
