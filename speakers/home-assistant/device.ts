import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault, unless } from '../fault.js';
import type { Before, Device, Grade, Position, Settings, Sound } from '../kind.js';
import type { HomeAssistant, PlayerState } from './api.js';
import { Progress, SILENT } from './progress.js';

/** Milliseconds between two questions for the state. */
const POLL_MS = 400;
/** Milliseconds of a call. Some players answer only after they have fetched the audio, and never if they cannot. */
const CALL_MS = 1000;
const volumeIs = (volume: number | undefined, other: unknown): boolean =>
  volume !== undefined && Math.abs(volume - Number(other)) < 0.006;

/** A media player of Home Assistant. */
export class MediaPlayer implements Device {
  /** The last volume that the player told: players that are off tell none. */
  private volume: number | undefined;
  /** The volume before the announcement. */
  private former: number | undefined;
  /** Whether somebody wanted silence. */
  private wasStopped = false;

  constructor(
    private readonly api: HomeAssistant,
    private readonly entity: string,
  ) {}

  /** @throws SpeakerFault `speaker-unreachable` for a player that Home Assistant does not reach */
  async before({ url }: Sound, { volume: own }: Settings, signal: AbortSignal): Promise<Before> {
    const { state, content, type, position = 0, volume, announces } = await this.look(signal);
    if (state === 'unavailable')
      throw new SpeakerFault('speaker-unreachable', { problem: 'Home Assistant does not reach it' });
    this.former = volume;
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
    await this.setVolume(settings.volume, this.former, signal);
    const media = { media_content_id: sound.url, media_content_type: 'music' };
    // A call without a reply is no fault: the state tells more.
    const wasTaken = await this.call(
      'media_player.play_media',
      { ...media, ...(announces && { announce: true }) },
      signal,
    ).then(
      () => true,
      (error: unknown) => unless('speaker-unreachable')(error) ?? false,
    );
    const progress = new Progress(sound, wasTaken, performance.now());
    for (;;) {
      const player = await this.look(signal);
      // Only a player that plays tells its volume, if it was off before.
      if (this.former === undefined && player.volume !== undefined) {
        this.former = player.volume;
        await this.setVolume(settings.volume, this.former, signal);
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
    if (
      before['own'] !== undefined &&
      volume !== undefined &&
      volumeIs(this.volume ?? Number(before['own']), before['own'])
    )
      await this.call('media_player.volume_set', { volume_level: volume }, signal);
    const isFree =
      player.state === 'playing' ? isOurs : SILENT.has(player.state) && player.state !== 'paused';
    if (before['announces'] !== true && isFree && !this.wasStopped) await this.resume(before, signal);
  }

  private note(progress: Progress, player: PlayerState): Grade | undefined {
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

  /** Sets a volume in percent if the present one is known: it could not be restored otherwise. */
  private async setVolume(
    percent: number | undefined,
    former: number | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (percent === undefined || former === undefined) return;
    await this.call('media_player.volume_set', { volume_level: percent / 100 }, signal);
    this.volume = percent / 100;
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
