/**
 * Plays many short announcements on a real speaker that is killed and cut off meanwhile, and compares what was played with what was
 * reported. Usage: `node --require ./test/support/typescript.cjs test/real/players/endurance/endurance.ts PART [COUNT]`, as root.
 * Prints a row of a table in Markdown. Exits with 1 if an announcement is lost, doubled, cut or reported late.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { announce } from '../../../../speakers/announce/announce.js';
import { serving } from '../../../support/net/serve.js';
import { never } from '../../../support/waiting.js';
import { heardIn } from './heard.js';
import { type Part, ready } from './part.js';
import { isPart, parts, withPart } from './parts.js';
import { wavOf } from './wav.js';

/** Seconds. */
const DURATION = 0.5;
const [KILLS, CUTS] = [20, 5];
/** Seconds after the expected end until which an announcement must be reported. */
const LATE = 5;

interface Result {
  event: Event | undefined;
  outcome: string;
  /** Seconds from the expected end to the report. */
  after: number;
  samples: Buffer;
}
type Event = 'kill' | 'cut';

async function main(name: string | undefined, count: number): Promise<void> {
  if (!isPart(name)) throw new Error(`expected one of ${Object.keys(parts).join(', ')}`);
  await withPart(name, async (part) => report(name, part, await playAll(part, count), await part.heard()));
}

async function playAll(part: Part, count: number): Promise<Result[]> {
  const results: Result[] = [];
  const events = planned(count);
  const sounds = new Map<string, Buffer>();
  await serving(
    ({ url = '' }, response) => {
      const wav = sounds.get(url);
      if (wav === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': wav.length }).end(wav);
    },
    async (base) => {
      for (let index = 0; index < count; index += 1) {
        const result = await playOne(part, `${base}/${index}.wav`, events.get(index), sounds);
        results.push(result);
        if (result.event !== undefined || result.outcome !== 'played')
          console.error(`${index} ${result.event ?? ''} ${result.outcome} ${result.after.toFixed(1)}`);
      }
      await sleep(2000);
    },
    part.host,
  );
  return results;
}

/** Returns announcements with an event, at least two apart. */
function planned(count: number): Map<number, Event> {
  const events = new Map<number, Event>();
  const [kills, cuts] = [Math.ceil((KILLS * count) / 300), Math.ceil((CUTS * count) / 300)];
  while (events.size < kills + cuts) {
    const index = 1 + randomInt(count - 1);
    if (![index - 1, index, index + 1].some((near) => events.has(near)))
      events.set(index, events.size < kills ? 'kill' : 'cut');
  }
  return events;
}

async function playOne(
  part: Part,
  url: string,
  event: Event | undefined,
  sounds: Map<string, Buffer>,
): Promise<Result> {
  const { sampleRate, channels } = part.format;
  const samples = randomBytes(Math.round(DURATION * sampleRate) * channels * 2);
  const name = new URL(url).pathname;
  let isFetched = false;
  sounds.set(name, wavOf(samples, sampleRate));
  const sound = {
    duration: DURATION,
    url,
    pcm: async () => ({ data: samples, ...part.format }),
    isFetched: () => isFetched,
  };
  const get = sounds.get.bind(sounds);
  sounds.get = (key) => {
    if (key === name) isFetched = true;
    return get(key);
  };
  const journal = { begin: async () => {}, end: async () => {} };
  const announcement = { sound, settings: { together: async () => {} }, journal };
  const start = performance.now();
  const playing = announce(part.kind, part.place, announcement, never).then(
    () => 'played',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (event !== undefined) {
    await sleep(randomInt(Math.round((DURATION + part.buffer + 0.3) * 1000)));
    await (event === 'kill' ? part.kill() : part.cut());
  }
  const outcome = await playing;
  const after = (performance.now() - start) / 1000 - DURATION - part.buffer;
  sounds.get = get;
  if (event === 'kill') await part.start();
  if (event === 'cut') part.mend();
  if (event !== undefined || outcome !== 'played') await ready(part);
  await sleep(50);
  return { event, outcome, after, samples };
}

function report(name: string, part: Part, results: readonly Result[], all: Buffer): void {
  const { sampleRate, channels } = part.format;
  let from = 0;
  const heard = results.map((result) => {
    const found = heardIn(all, result.samples, from, sampleRate * channels * 2, part.missed);
    from = Math.max(from, found.place);
    return { ...result, ...found };
  });
  const [played, failed] = [
    heard.filter(({ outcome }) => outcome === 'played'),
    heard.filter(({ outcome }) => outcome !== 'played'),
  ];
  const kills = heard.filter(({ event }) => event === 'kill').length;
  const cuts = heard.filter(({ event }) => event === 'cut').length;
  const wrong = {
    lost: played.filter(({ times }) => times === 0).length,
    doubled: heard.filter(({ times }) => times > 1).length,
    cut: played.filter(({ times, share }) => times > 0 && share < 0.9).length,
    late: heard.filter(({ after }) => after > LATE).length,
    unexplained: failed.filter(({ event }) => event === undefined).length,
  };
  for (const [index, { outcome, times, share, event }] of heard.entries())
    if (outcome === 'played' && (times !== 1 || share < 0.9))
      console.error(`wrong ${index} ${event ?? ''} times ${times} share ${share.toFixed(2)}`);
  const least = Math.min(...played.map(({ share }) => share));
  const latest = Math.max(...heard.map(({ after }) => after));
  console.log(
    `| ${name} | ${heard.length} | ${kills} | ${cuts} (${part.cutBy}) | ${played.length} | ${failed.length} | ${wrong.lost} | ${wrong.doubled} | ${wrong.cut} | ${(least * 100).toFixed(0)} % | ${latest.toFixed(1)} s |`,
  );
  console.error(JSON.stringify(wrong));
  if (Object.values(wrong).some((number) => number > 0)) process.exitCode = 1;
}

main(process.argv[2], Number(process.argv[3] ?? 300)).then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(2);
  },
);
