import { randomUUID } from 'node:crypto';

/** Maximum number of announcements whose sound can be stopped. The oldest leave first. */
const MAX_SOUNDS = 2000;

/** How a sound ended before its end: by a stop or an interrupt, or a newer sound in the same queue dropped it. */
export const CUTS = ['stopped', 'interrupted', 'replaced'] as const;
export type SoundCut = (typeof CUTS)[number];

/** The audio of one announcement, wherever Herald plays it. */
export class AnnouncedSound {
  /** Names the announcement in messages: `msg.speech.announcement`. Unique, also after a restart. */
  readonly id = randomUUID();
  /** False when the work on the announcement has ended. */
  isOpen = true;
  /** The number of replies that send the audio to players now. */
  streams = 0;
  /** Whether an editor can be playing the audio. */
  isHeard = false;
  /** How the latest playback ended, if it did not reach the end of the audio. */
  cut: SoundCut | undefined;
  /** Called when the number of streams or `cut` changes. */
  onChange: (() => void) | undefined;
  private state: 'playable' | 'stopped' | 'cut off' = 'playable';
  private readonly stops: (() => void)[] = [];

  constructor(
    readonly node: string,
    readonly priority: number,
  ) {}

  /**
   * Returns whether audio stays silent that arrives after a stop: a piece, or the audio of a text that the stop cut off. Complete
   * audio, such as a message that a flow keeps, can be played again.
   */
  isSilent(audio: { isPiece: boolean }): boolean {
    return this.state === 'cut off' || (this.state === 'stopped' && audio.isPiece);
  }

  /** Counts a reply that begins or ends. A reply that begins is a new playback. */
  countStream(change: 1 | -1): void {
    this.streams += change;
    if (change === 1) this.cut = undefined;
    this.onChange?.();
  }

  /** Notes that editors get the audio, for a new playback. */
  hear(): void {
    this.isHeard = true;
    this.endEarly(undefined);
  }

  /** Notes how a playback ended before the end of the audio. */
  endEarly(cut: SoundCut | undefined): void {
    if (cut === this.cut) return;
    this.cut = cut;
    this.onChange?.();
  }

  /** Adds a function that ends the audio in one place. It must not throw. */
  onStop(stop: () => void): void {
    this.stops.push(stop);
  }

  stop(cut: Silence['end']): void {
    if (this.streams > 0) this.endEarly(cut);
    if (this.state !== 'cut off') this.state = this.isOpen ? 'cut off' : 'stopped';
    for (const stop of this.stops) stop();
  }
}

/** A stop, as editors receive it. */
export interface Silence {
  /** The ids of the stopped sounds that an editor can be playing. */
  sounds: string[];
  /** The node that `msg.reset` has silenced. */
  node?: string;
  end: Exclude<SoundCut, 'replaced'>;
}

/** The sounds of the latest announcements, in the order of their arrival. */
export class Sounds {
  private readonly sounds = new Map<string, AnnouncedSound>();

  /** @param publish sends a stop to the open editors */
  constructor(private readonly publish: (silence: Silence) => void) {}

  add(sound: AnnouncedSound): void {
    this.sounds.set(sound.id, sound);
    const [oldest] = this.sounds.keys();
    if (this.sounds.size > MAX_SOUNDS && oldest !== undefined) this.sounds.delete(oldest);
  }

  /** @param id the value of `msg.speech.announcement` */
  find(id: unknown): AnnouncedSound | undefined {
    return typeof id === 'string' ? this.sounds.get(id) : undefined;
  }

  /** Ends the sound of one announcement. */
  stop(sound: AnnouncedSound): void {
    this.stopAll([sound], 'stopped');
    this.publish({ sounds: [sound.id], end: 'stopped' });
  }

  /** Ends all sounds of a node. */
  stopNode(node: string): void {
    const stopped = [...this.sounds.values()].filter((sound) => sound.node === node);
    this.publish({ sounds: this.stopAll(stopped, 'stopped'), node, end: 'stopped' });
  }

  /** Ends the earlier sounds of the same node, unless their priority is higher. */
  interrupt(by: AnnouncedSound): void {
    const all = [...this.sounds.values()];
    const earlier = all.slice(0, Math.max(0, all.indexOf(by)));
    const stopped = earlier.filter(({ node, priority }) => node === by.node && priority <= by.priority);
    const sounds = this.stopAll(stopped, 'interrupted');
    if (sounds.length > 0) this.publish({ sounds, end: 'interrupted' });
  }

  /** Returns the ids of the sounds that an editor can be playing. */
  private stopAll(stopped: readonly AnnouncedSound[], end: Silence['end']): string[] {
    const heard = stopped.filter(({ isHeard }) => isHeard);
    for (const sound of stopped) {
      sound.stop(end);
      sound.isHeard = false;
    }
    return heard.map(({ id }) => id);
  }
}
