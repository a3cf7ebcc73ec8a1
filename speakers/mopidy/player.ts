import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../base/http.js';
import { fieldOf, listOf, numberOf } from '../base/values.js';
import { SpeakerFault, unreachable } from '../fault.js';
import type { Modes, Playback, Playlist } from '../playlist/playlist.js';

/** Maximum size of a reply in bytes: a song with all that is known of it. */
const MAX_BYTES = 500_000;
/** Milliseconds for a song to start, before a position can be set. */
const SEEK_MS = 1000;
/** Milliseconds between two questions for the start of a song. */
const LOOK_MS = 20;

/** The commands of Mopidy (docs.mopidy.com, "HTTP JSON-RPC API", and "mopidy.core"). */
export class MopidyPlayer implements Playlist {
  readonly pollMs = 100;
  readonly startMs = 4000;
  private id = 0;
  private readonly closed = new AbortController();

  /** @param base such as `http://192.168.1.7:6680` */
  constructor(private readonly base: string) {
    // A look at the playback needs several requests at a time.
    setMaxListeners(0, this.closed.signal);
  }

  async playback(): Promise<Playback> {
    const [state, track, position, volume, isMuted, ...modes] = await Promise.all([
      this.core('playback.get_state'),
      this.core('playback.get_current_tl_track'),
      this.core('playback.get_time_position'),
      this.core('mixer.get_volume'),
      this.core('mixer.get_mute'),
      ...['repeat', 'random', 'single', 'consume'].map((mode) => this.core(`tracklist.get_${mode}`)),
    ]);
    const [repeat = '', random = '', single = '', consume = ''] = modes.map((isOn) =>
      isOn === true ? '1' : '0',
    );
    return {
      state: state === 'playing' || state === 'paused' ? state : 'stopped',
      song: idOf(track),
      elapsed: numberOf(position) / 1000,
      volume: typeof volume === 'number' ? volume : undefined,
      isMuted: isMuted === true,
      error: '',
      modes: { repeat, random, single, consume },
    };
  }

  add = async (url: string) => idOf(listOf(await this.core('tracklist.add', { uris: [url] }))[0]);
  find = async (url: string) =>
    idOf(listOf(await this.core('tracklist.filter', { criteria: { uri: [url] } }))[0]);
  remove = (song: string) => this.core('tracklist.remove', { criteria: { tlid: [Number(song)] } });
  setMode = (mode: keyof Modes, value: string) =>
    this.core(`tracklist.set_${mode}`, { value: value === '1' });
  setVolume = (percent: number) => this.core('mixer.set_volume', { volume: Math.round(percent) });
  play = (song: string) => this.core('playback.play', { tlid: Number(song) });
  pause = () => this.core('playback.pause');
  close = () => this.closed.abort();

  async playFrom(song: string, seconds: number): Promise<void> {
    await this.play(song);
    // A song that has not started yet takes no position.
    const late = performance.now() + SEEK_MS;
    while (performance.now() < late && (await this.core('playback.get_state')) !== 'playing')
      await sleep(LOOK_MS, undefined, { signal: this.closed.signal });
    await this.core('playback.seek', { time_position: Math.round(seconds * 1000) });
  }

  /** Calls a function of Mopidy's core. @throws SpeakerFault */
  async core(method: string, params: object = {}): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: (this.id += 1), method: `core.${method}`, params });
    const headers = { 'Content-Type': 'application/json' };
    const options = {
      method: 'POST',
      headers,
      body,
      signal: this.closed.signal,
      maxBytes: MAX_BYTES,
    } as const;
    const { status, body: reply } = await request(`${this.base}/mopidy/rpc`, options).catch(
      (error: unknown) => {
        throw unreachable(error);
      },
    );
    if (status !== 200)
      throw new SpeakerFault('speaker-unreachable', { problem: 'no Mopidy at this address' });
    const message: unknown = JSON.parse(reply);
    const error = fieldOf(message, 'error');
    if (error !== undefined) throw new SpeakerFault('speaker-refused', { problem: JSON.stringify(error) });
    return fieldOf(message, 'result');
  }
}

/** Returns the id of a song in the queue; '' for none. */
function idOf(track: unknown): string {
  const id = fieldOf(track, 'tlid');
  return typeof id === 'number' ? String(id) : '';
}
