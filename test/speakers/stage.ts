import type { RequestListener } from 'node:http';
import { announce, type Played } from '../../speakers/announce/announce.js';
import type { Before, Kind, Place, Sound } from '../../speakers/kind.js';
import { noise, wavOf } from '../players/publish.js';
import { serving } from '../support/net/serve.js';
import { never } from '../support/waiting.js';

/** Options of an announcement. */
export interface PlayOptions {
  volume?: number;
  signal?: AbortSignal;
  /** `none.wav` does not exist, and a request for `silent.wav` gets no reply. */
  path?: string;
}

/** A sound that players of the network can fetch. */
export interface Stage {
  /** Plays the sound on a speaker. */
  play(kind: Kind, place: Place, options?: PlayOptions): Promise<Played>;
  /** What a journal has noted and not deleted. */
  noted: Before[];
  /** The address of the sound. */
  url: string;
}

/** Samples of the sound: 16 bits, 8,000 hertz, one channel. */
const samplesOf = (seconds: number) => noise(Math.ceil(seconds)).subarray(0, seconds * 16_000);

/**
 * Runs `work` with a server for a sound.
 * @param seconds the length of the sound
 * @param host an address of this computer
 */
export function withStage(
  seconds: number,
  work: (stage: Stage) => Promise<void>,
  host = '127.0.0.1',
): Promise<void> {
  const fetched = new Set<string>();
  const samples = samplesOf(seconds);
  const file = wavOf(samples);
  const server: RequestListener = ({ url = '' }, response) => {
    fetched.add(url.slice(1));
    if (url === '/silent.wav') return;
    if (url === '/none.wav') response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': file.length }).end(file);
  };
  return serving(
    server,
    (base) => {
      const noted: Before[] = [];
      return work({
        noted,
        url: `${base}/sound.wav`,
        play(kind, place, { volume, signal = never, path = 'sound.wav' } = {}) {
          fetched.clear();
          const sound: Sound = {
            duration: seconds,
            url: `${base}/${path}`,
            pcm: async (format = { sampleRate: 8000, channels: 1 }) => ({
              data: repeated(samples, (format.sampleRate / 8000) * format.channels),
              ...format,
            }),
            isFetched: () => fetched.has(path),
          };
          const journal = {
            begin: async (before: Before) => void noted.push(before),
            end: async () => void noted.pop(),
          };
          const settings = { volume, together: async () => {} };
          return announce(kind, place, { sound, settings, journal }, signal);
        },
      });
    },
    host,
  );
}

/** Returns samples with each of them several times. */
function repeated(samples: Buffer, times: number): Buffer {
  const all = Buffer.alloc((samples.length / 2) * times * 2);
  for (let at = 0; at < all.length; at += 2) {
    const from = Math.floor(at / 2 / times) * 2;
    all[at] = samples[from] ?? 0;
    all[at + 1] = samples[from + 1] ?? 0;
  }
  return all;
}
