/**
 * Prints the milliseconds from complete audio to the first recorded sample of some announcements on a real speaker, as JSON.
 * Usage: as `endurance.ts`.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { announce } from '../../../../speakers/announce/announce.js';
import { serving } from '../../../support/net/serve.js';
import { never } from '../../../support/waiting.js';
import { type Part } from './part.js';
import { isPart, withPart } from './parts.js';
import { wavOf } from './wav.js';

/** Seconds. */
const DURATION = 1;
/** Milliseconds between two looks at the record. */
const LOOK_MS = 4;
/** Bytes of samples that show the start of a sound. */
const SIGN = 64;

async function main(name: string | undefined, rounds: number): Promise<void> {
  if (!isPart(name)) throw new Error('expected the name of a part');
  await withPart(name, async (part) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await timeOf(part));
    console.log(JSON.stringify(times));
  });
}

async function timeOf(part: Part): Promise<number> {
  const { sampleRate, channels } = part.format;
  const samples = randomBytes(Math.round(DURATION * sampleRate) * channels * 2);
  const wav = wavOf(samples, sampleRate);
  let isFetched = false;
  return serving(
    (_request, response) => {
      isFetched = true;
      response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': wav.length }).end(wav);
    },
    async (base) => {
      const sound = {
        duration: DURATION,
        url: `${base}/${Math.random()}.wav`,
        pcm: async () => ({ data: samples, ...part.format }),
        isFetched: () => isFetched,
      };
      const journal = { begin: async () => {}, end: async () => {} };
      const announcement = { sound, settings: { together: async () => {} }, journal };
      const before = (await part.heard()).length;
      const start = performance.now();
      const playing = announce(part.kind, part.place, announcement, never);
      const first = await firstSound(part, samples, before);
      // Only the start counts here.
      await playing.catch(() => undefined);
      return first - start;
    },
    part.host,
  );
}

/** Resolves with the time at which the record has samples of the first 80 ms after those that the recorder may miss. */
async function firstSound(part: Part, samples: Buffer, before: number): Promise<number> {
  const { sampleRate, channels } = part.format;
  const missed = Math.ceil(part.missed * sampleRate) * channels * 2;
  const signs = [0, 2, 4, 8].map((tens) => {
    const at = missed + Math.round((tens * sampleRate) / 100) * channels * 2;
    return samples.subarray(at, at + SIGN);
  });
  for (;;) {
    const heard = (await part.heard()).subarray(before);
    const now = performance.now();
    const found = signs.find((sign) => heard.includes(sign));
    if (found !== undefined) return now;
    await sleep(LOOK_MS);
  }
}

main(process.argv[2], Number(process.argv[3] ?? 10)).then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(2);
  },
);
