import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault, unless } from '../fault.js';
import type { Before, Device, Grade, Position, Settings, Sound } from '../kind.js';
import type { MpdConnection } from './connection.js';

/** Milliseconds between two questions for the position. */
const POLL_MS = 100;

/** Modes that decide what plays after a song, with their values during an announcement: only the announcement, once. */
const OWN_MODES = { repeat: '0', random: '0', single: '1', consume: '0' } as const;
const MODES = ['repeat', 'random', 'single', 'consume'] as const;

/** What MPD tells of its playback. */
interface Status {
  state: string;
  /** The id of the present song in the queue; '' for none. */
  song: string;
  /** Seconds in the song. */
  elapsed: number;
  /** Percent; '' if no output has a volume. */
  volume: string;
  error: string;
  modes: Record<(typeof MODES)[number], string>;
}

/** A player of MPD. The announcement becomes the last song of its queue, and is removed afterwards. */
export class MpdDevice implements Device {
  constructor(private readonly connection: MpdConnection) {}

  async before({ url }: Sound, { volume: own }: Settings): Promise<Before> {
    const { state, song, elapsed, volume, modes } = await this.status();
    return { url, ...(own !== undefined && { own }), state, song, elapsed, volume, ...modes };
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const { connection } = this;
    const own = (await connection.run('addid', sound.url)).get('Id') ?? '';
    await settings.together();
    for (const mode of MODES) await connection.run(mode, OWN_MODES[mode]);
    if (settings.volume !== undefined) await connection.run('setvol', settings.volume);
    await connection.run('playid', own);
    for (let last: Position = { seconds: 0, isPaused: false }; ;) {
      await sleep(POLL_MS, undefined, { signal });
      const status = await this.status();
      if (status.song !== own || status.state === 'stop') return endOf(status, own, last, sound);
      last = { seconds: status.elapsed, isPaused: status.state === 'pause' };
      yield last;
    }
  }

  async restore(before: Before): Promise<void> {
    const { connection } = this;
    const status = await this.status();
    const own = (await connection.run('playlistfind', 'file', String(before['url']))).get('Id') ?? '';
    // A stop or a pause by somebody keeps the announcement as the present song: the player stays silent, as they want it.
    const isOver = status.song === '' || (status.song === own && status.state === 'play');
    if (own !== '') await connection.run('deleteid', own);
    for (const mode of MODES)
      if (status.modes[mode] === OWN_MODES[mode]) await connection.run(mode, String(before[mode]));
    if (Number(status.volume) === before['own'] && before['volume'] !== '')
      await connection.run('setvol', String(before['volume']));
    if (isOver && before['song'] !== '' && before['state'] !== 'stop') await this.resume(before);
  }

  close(): void {
    this.connection.close();
  }

  /** Plays the song of before from its position on. MPD refuses it if somebody removed it from the queue. */
  private async resume(before: Before): Promise<void> {
    const { connection } = this;
    await connection
      .run('seekid', String(before['song']), Number(before['elapsed']))
      .catch(unless('speaker-refused'));
    if (before['state'] === 'pause') await connection.run('pause', '1');
  }

  private async status(): Promise<Status> {
    const fields = await this.connection.run('status');
    const field = (name: string) => fields.get(name) ?? '';
    return {
      state: field('state'),
      song: field('songid'),
      elapsed: Number(field('elapsed')) || 0,
      volume: field('volume') === '-1' ? '' : field('volume'),
      error: field('error'),
      modes: {
        repeat: field('repeat'),
        random: field('random'),
        single: field('single'),
        consume: field('consume'),
      },
    };
  }
}

/** Returns the grade of an end by itself. @throws SpeakerFault if MPD could not play the song, or somebody ended it */
function endOf(
  { error, song, state }: Status,
  own: string,
  { seconds }: Position,
  { duration }: Sound,
): Grade {
  if (error !== '' && seconds === 0)
    throw new SpeakerFault('speaker-refused', { problem: error.slice(0, 200) });
  // At the end of the queue no song is the present one; a stop by a client keeps it.
  if (state === 'stop' && song === own) throw new SpeakerFault('speaker-stopped', { seconds });
  const isAtEnd = seconds >= duration - 0.7;
  if (song !== '' && !isAtEnd) throw new SpeakerFault('speaker-skipped', { seconds });
  return 'position';
}
