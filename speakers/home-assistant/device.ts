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
import { PlayerProgress, SILENT } from './progress.js';

/** Milliseconds between two questions for the state. */
const POLL_MS = 400;
/** Milliseconds of a call. Some players answer only after they have fetched the audio, and never if they cannot. */
const CALL_MS = 1000;
const volumeIs = (volume: number | undefined, other: unknown): boolean =>
  volume !== undefined && Math.abs(volume - Number(other)) < 0.006;

/** A media player of Home Assistant. */
export class MediaPlayer implements Device {
  /** The last volume that the player reported. Players that are off report none. */
  private volume: number | undefined;
  /** The volume before the announcement. */
  private former: number | undefined;
  /** The volume of the announcement in percent; undefined leaves the player as it is set. */
  private own: number | undefined;
  /** The content before the announcement. */
  private content = '';
  /** Whether somebody wanted silence. */
  private wasStopped = false;

  constructor(
    private readonly api: HomeAssistant,
    private readonly entity: string,
  ) {}

  /** @throws SpeakerFault `speaker-unreachable` for a player that Home Assistant does not reach */
  async before({ url }: Sound, settings: Settings, signal: AbortSignal): Promise<Before> {
    const { state, content, type, position = 0, volume, announces } = await this.look(signal);
    if (state === 'unavailable')
      throw new SpeakerFault('speaker-unreachable', { problem: 'Home Assistant does not reach it' });
    this.choose(settings, volume);
    this.content = content;
    const { own } = this;
    const volumes = {
      ...(own !== undefined && { own: own / 100 }),
      ...(own !== undefined && volume !== undefined && { volume }),
    };
    return { url, state, content, type, position, announces, ...volumes };
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const { announces } = await this.api.player(this.entity, signal);
    await settings.together();
    await this.setVolume(signal);
    const media = { media_content_id: sound.url, media_content_type: 'music' };
    // A call without a reply is no fault: the state is reported later.
    const wasTaken = await this.call(
      'media_player.play_media',
      { ...media, ...(announces && settings.music !== 'replace' && { announce: true }) },
      signal,
    ).then(
      () => true,
      (error: unknown) => unless('speaker-unreachable')(error) ?? false,
    );
    const progress = new PlayerProgress(sound, wasTaken, performance.now(), this.content);
    for (;;) {
      const player = await this.look(signal);
      // A player that was off before reports its volume only while it plays.
      if (this.former === undefined && player.volume !== undefined) {
        this.choose(settings, player.volume);
        await this.setVolume(signal);
      }
      const proof = this.note(progress, player);
      yield progress.position(performance.now());
      if (proof !== undefined) return proof;
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  async restore(before: Before, signal: AbortSignal): Promise<void> {
    const player = await this.look(signal);
    const isOurs = player.content === before['url'];
    if (isOurs && player.state === 'playing') await this.call('media_player.media_stop', {}, signal);
    const volume = before['volume'] ?? this.former;
    const own = 'own' in before ? Number(before['own']) : this.own && this.own / 100;
    if (own !== undefined && volume !== undefined && volumeIs(this.volume ?? own, own))
      await this.call('media_player.volume_set', { volume_level: volume }, signal);
    const isFree =
      player.state === 'playing' ? isOurs : SILENT.has(player.state) && player.state !== 'paused';
    const isMusicGone = before['announces'] !== true && before['replaces'] !== true;
    if (isMusicGone && isFree && !this.wasStopped) await this.resume(before, signal);
  }

  private note(progress: PlayerProgress, player: PlayerState): Grade | undefined {
    try {
      return progress.note(player, performance.now());
    } catch (error) {
      this.wasStopped = error instanceof SpeakerFault && error.reason === 'speaker-stopped';
      throw error;
    }
  }

  close(): void {
    // Each request has its own connection.
  }

  /** Plays the music of before. Home Assistant has no command for a queue. */
  private async resume({ state, content, type, position }: Before, signal: AbortSignal): Promise<void> {
    if ((state !== 'playing' && state !== 'paused') || content === '') return;
    const media = { media_content_id: content, media_content_type: type || 'music' };
    await this.call('media_player.play_media', media, signal);
    const [seek, pause] = [{ seek_position: position }, state === 'paused'];
    await this.call('media_player.media_seek', seek, signal).catch(unless('speaker-refused'));
    if (pause) await this.call('media_player.media_pause', {}, signal).catch(unless('speaker-refused'));
  }

  private choose(settings: Settings, volume: number | undefined): void {
    this.former = volume;
    this.own = volumeFor(settings, volume === undefined ? undefined : volume * 100);
  }

  /** Sets the volume of the announcement if the present one is known: it could not be restored otherwise. */
  private async setVolume(signal: AbortSignal): Promise<void> {
    if (this.own === undefined || this.former === undefined) return;
    await this.call('media_player.volume_set', { volume_level: this.own / 100 }, signal);
  }

  private call = (service: string, data: Readonly<Record<string, unknown>>, signal: AbortSignal) =>
    this.api.call(service, this.entity, { ...data, timeout: CALL_MS }, signal);

  /** Home Assistant asks some players only every ten seconds. The call makes it ask now; it hangs while the player hangs. */
  private async look(signal: AbortSignal): Promise<PlayerState> {
    await this.call('homeassistant.update_entity', {}, signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof SpeakerFault)) throw error;
    });
    const player = await this.api.player(this.entity, signal);
    this.volume = player.volume ?? this.volume;
    return player;
  }
}
