import type { Modes, Playback, Playlist } from '../playlist/playlist.js';
import type { MpdConnection } from './connection.js';

const STATES = { play: 'playing', pause: 'paused', stop: 'stopped' } as const;

/** The commands of MPD. */
export class MpdPlayer implements Playlist {
  /** MPD 0.23 can hang if programs ask it at the same time. */
  readonly pollMs = 250;
  readonly startMs = 0;

  constructor(private readonly connection: MpdConnection) {}

  async playback(): Promise<Playback> {
    const fields = await this.connection.run('status');
    const field = (name: string) => fields.get(name) ?? '';
    const [state, volume] = [field('state'), Number(field('volume') || -1)];
    return {
      state: state === 'play' || state === 'pause' ? STATES[state] : 'stopped',
      song: field('songid'),
      elapsed: Number(field('elapsed')) || 0,
      volume: volume < 0 ? undefined : volume,
      // A mute MPD has volume 0.
      isMuted: false,
      error: field('error'),
      modes: {
        repeat: field('repeat'),
        random: field('random'),
        single: field('single'),
        consume: field('consume'),
      },
    };
  }

  add = async (url: string) => (await this.connection.run('addid', url)).get('Id') ?? '';
  find = async (url: string) => (await this.connection.run('playlistfind', 'file', url)).get('Id') ?? '';
  remove = (song: string) => this.connection.run('deleteid', song);
  setMode = (mode: keyof Modes, value: string) => this.connection.run(mode, value);
  setVolume = (percent: number) => this.connection.run('setvol', Math.round(percent));
  play = (song: string) => this.connection.run('playid', song);
  playFrom = (song: string, seconds: number) => this.connection.run('seekid', song, seconds);
  pause = () => this.connection.run('pause', '1');
  close = () => this.connection.close();
}
