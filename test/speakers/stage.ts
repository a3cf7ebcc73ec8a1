import type { RequestListener } from 'node:http';
import { announce, type Played } from '../../speakers/announce/announce.js';
import type { Before, Kind, Sound } from '../../speakers/kind.js';
import { noise, wavOf } from '../players/publish.js';
import { serving } from '../support/net/serve.js';
import { never } from '../support/waiting.js';

/** Seconds of the music. */
const MUSIC = 60;

export interface PlayOptions {
  secret?: string;
  volume?: number;
  maxVolume?: number;
  music?: 'replace';
  signal?: AbortSignal;
  /** Whether the program is killed when the signal aborts: then it restores nothing. */
  isKilled?: boolean;
  /** The file: `sound.wav`, `none.wav` does not exist, `text.wav` is a web page, `slow.wav` never arrives. */
  path?: string;
  together?: () => Promise<void>;
}

/** A network with audio. */
export interface Stage {
  /** The address of the music. */
  music: string;
  /** The address of the announcement. */
  sound: string;
  /** The records of former states; empty after they were restored. */
  noted: Before[];
  play(address: string, options?: PlayOptions): Promise<Played>;
}

/** Returns a kind whose devices restore nothing, as after the end of a program that was killed. */
export const withoutRestore = (kind: Kind): Kind => ({
  ...kind,
  connect: async (place, signal) =>
    Object.assign(await kind.connect(place, signal), {
      restore: () => Promise.reject(new Error('nothing is restored')),
    }),
});

let madeMusic: Buffer | undefined;
/** Returns the file of the music, which is made once, for the first player that fetches it. */
const musicFile = (): Buffer => (madeMusic ??= wavOf(noise(MUSIC)));

/**
 * Runs `work` with an announcement of some seconds for a kind of speakers.
 * @param sound the file of the announcement, for a player that needs another format than the node makes
 */
export const withStage = (
  kind: Kind,
  seconds: number,
  work: (stage: Stage) => Promise<void>,
  sound?: () => Buffer,
): Promise<void> => {
  const files = new Map([
    ['/sound.wav', sound ?? (() => wavOf(noise(seconds)))],
    ['/music.wav', musicFile],
    ['/text.wav', () => Buffer.from('<html>')],
  ]);
  const fetched = new Set<string>();
  const server: RequestListener = (request, response) => {
    const [url = ''] = (request.url ?? '').split('?');
    fetched.add(url);
    const file = files.get(url)?.();
    if (url === '/slow.wav') return;
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': file.length }).end(file);
  };
  return serving(server, (base) => {
    const noted: Before[] = [];
    const journal = {
      begin: async (before: Before) => void noted.push(before),
      end: async () => void noted.pop(),
    };
    const play = (
      address: string,
      {
        secret,
        signal = never,
        isKilled = false,
        path = 'sound.wav',
        together = async () => {},
        ...more
      }: PlayOptions = {},
    ) => {
      fetched.delete(`/${path}`);
      const announced: Sound = {
        duration: seconds,
        url: `${base}/${path}`,
        pcm: () => Promise.reject(new Error('this speaker fetches its audio')),
        isFetched: () => fetched.has(`/${path}`),
      };
      return announce(
        isKilled ? withoutRestore(kind) : kind,
        { address, secret },
        { sound: announced, settings: { ...more, together }, journal },
        signal,
      );
    };
    return work({ music: `${base}/music.wav`, sound: `${base}/sound.wav`, noted, play });
  });
};
