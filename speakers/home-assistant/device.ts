import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault, unless } from '../fault.js';
import {
  type Before,
  type Device,
  type Grade,
  type Position,
  type Settings,
  type Sound,
  volumeFor,
} from '../kind.js';
import type { HomeAssistant, PlayerState } from './api.js';

/** Milliseconds between two questions for the state. */
const POLL_MS = 500;
/** Seconds after the expected end until which a player must have ended: some are asked by Home Assistant only now and then. */
const PATIENCE = 2;
/** States of a player that plays nothing. */
const SILENT: ReadonlySet<string> = new Set(['idle', 'off', 'standby', 'on', 'paused']);

/** A media player of Home Assistant. */
export class MediaPlayer implements Device {
  /** The volume of the announcement in percent; undefined leaves the player as it is set. */
  private own: number | undefined;

  constructor(
    private readonly api: HomeAssistant,
    private readonly entity: string,
  ) {}

  async before({ url }: Sound, settings: Settings, signal: AbortSignal): Promise<Before> {
    const { state, content, type, position, volume } = await this.api.player(this.entity, signal);
    const own = volumeFor(settings, volume === undefined ? undefined : volume * 100);
    this.own = own;
    const volumes = volume === undefined || own === undefined ? {} : { volume, own: own / 100 };
    return { url, state, content, type, position, ...volumes };
  }

  async *play(
    { url, duration }: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    await settings.together();
    if (this.own !== undefined)
      await this.call('media_player.volume_set', { volume_level: this.own / 100 }, signal);
    const media = {
      media_content_id: url,
      media_content_type: 'music',
      announce: settings.music !== 'replace',
    };
    await this.call('media_player.play_media', media, signal);
    const started = performance.now();
    for (let last = 0; ;) {
      await sleep(POLL_MS, undefined, { signal });
      const player = await this.look(signal);
      const seconds = (performance.now() - started) / 1000;
      const proof = endOf(player, { url, duration, last, seconds });
      if (proof !== undefined) return proof;
      if (player.content === url) last = Math.max(last, player.position);
      // Without a position of its own, only the time on the clock is known.
      yield { seconds: Math.min(last || seconds, duration), isPaused: player.state === 'paused' };
    }
  }

  async restore(before: Before, signal: AbortSignal): Promise<void> {
    const player = await this.api.player(this.entity, signal);
    const isOurs = player.content === before['url'];
    if (isOurs && player.state === 'playing') await this.call('media_player.media_stop', {}, signal);
    if (player.volume !== undefined && Math.abs(player.volume - Number(before['own'])) < 0.005)
      await this.call('media_player.volume_set', { volume_level: before['volume'] }, signal);
    const isSilent = isOurs || SILENT.has(player.state);
    if (
      before['replaces'] === true ||
      before['state'] !== 'playing' ||
      before['content'] === '' ||
      !isSilent ||
      player.content === before['content']
    )
      return;
    // Players that know announcements have resumed their music by themselves.
    const media = { media_content_id: before['content'], media_content_type: before['type'] || 'music' };
    await this.call('media_player.play_media', media, signal);
    await this.call('media_player.media_seek', { seek_position: before['position'] }, signal).catch(
      unless('speaker-refused'),
    );
  }

  close(): void {
    // Each request has its own connection.
  }

  private call = (service: string, data: object, signal: AbortSignal) =>
    this.api.call(service, this.entity, data, signal);

  /** Home Assistant asks some players only every ten seconds. The call makes it ask now. */
  private async look(signal: AbortSignal): Promise<PlayerState> {
    await this.call('homeassistant.update_entity', {}, signal).catch(unless('speaker-refused'));
    return this.api.player(this.entity, signal);
  }
}

interface Progress {
  url: string;
  duration: number;
  /** The last position that the player told, in seconds. */
  last: number;
  /** Seconds since the call. */
  seconds: number;
}

/** Returns what is known of the end; undefined while the sound may play. @throws SpeakerFault if somebody ended it */
function endOf(
  { state, content, isMuted }: PlayerState,
  { url, duration, last, seconds }: Progress,
): Grade | undefined {
  const hasMoved = last > 0;
  if (hasMoved && content !== url && content !== '' && last < duration - 1 && seconds < duration - 1)
    throw new SpeakerFault('speaker-skipped', { seconds: last });
  if (seconds < duration) {
    if (hasMoved && state !== 'paused' && SILENT.has(state) && last < duration - 1.5)
      throw new SpeakerFault('speaker-stopped', { seconds: last });
    return undefined;
  }
  if (SILENT.has(state) || content !== url) return hasMoved && !isMuted ? 'state' : 'accepted';
  return seconds > duration + PATIENCE ? 'accepted' : undefined;
}
