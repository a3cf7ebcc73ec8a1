/** The interface of a kind of speakers, such as the players of MPD. Each folder of this package with such a kind has one file of its name. */

/** What is known of the sound that a speaker played. Nothing proves that a person heard it. */
export type Grade =
  /** The player reported a growing position of the sound up to its end. */
  | 'position'
  /** The player had the sound, its time grew, and it stopped by itself at the expected end. */
  | 'state'
  /** The sound was given in real time to connected clients that are not mute. */
  | 'streamed'
  /** The sound system of this computer accepted the sound and played its buffer to the end. */
  | 'drained'
  /** The speaker took the command. Nothing more is known. */
  | 'accepted';

/** Where a speaker is. */
export interface Place {
  /** A host name or an IP address, with a port where it is not the usual one of the kind: `192.168.1.7`, `player.local:6601`. */
  readonly address: string;
  /** A password or a token. */
  readonly secret?: string | undefined;
}

/** A speaker that a search has found. */
export interface FoundSpeaker extends Place {
  readonly name: string;
  /** The identity that the protocol knows, such as a UDN: it stays when the address changes. */
  readonly id?: string;
  readonly model?: string;
}

/** Signed samples of 16 bits in little-endian order. */
export interface Pcm {
  data: Uint8Array;
  /** Hertz. */
  sampleRate: number;
  channels: number;
}

/** A sound to play. */
export interface Sound {
  /** Seconds. */
  readonly duration: number;
  /** The address at which a player of the network fetches the sound. */
  readonly url: string;
  /** Returns the samples, for speakers that are given them: as they are, or in a format. */
  pcm(format?: Omit<Pcm, 'data'>): Promise<Pcm>;
  /** Whether a player has begun to fetch the URL. */
  isFetched(): boolean;
}

/** The settings of an announcement on one speaker. */
export interface Settings {
  /** Percent of the full volume. Undefined: as the speaker is set. */
  readonly volume?: number | undefined;
  /** The highest volume in percent. A speaker that is louder plays the announcement with it. Undefined: 100. */
  readonly maxVolume?: number | undefined;
  /** The effect on music. A speaker that cannot mix sounds pauses for `lower`; one that can lowers for `pause`. Undefined: `pause`. */
  readonly music?: 'pause' | 'lower' | 'replace' | undefined;
  /** Resolves when all speakers of the announcement are ready, so that they start together. */
  together(): Promise<void>;
}

/** A limit of a sound that a speaker played. */
export type Warning =
  /** The speaker was mute or at volume 0, at least for a part of the sound. */
  | 'speaker-silent'
  /** The speaker played something that no other program can continue. */
  | 'speaker-music-lost';

/**
 * Returns the volume of an announcement in percent; undefined leaves the speaker as it is set.
 * @param current the volume of the speaker, if it tells one
 */
export function volumeFor(
  { volume, maxVolume = 100 }: Settings,
  current: number | undefined,
): number | undefined {
  if (volume !== undefined) return Math.min(volume, maxVolume);
  return current !== undefined && current > maxVolume ? maxVolume : undefined;
}

/** A report while a sound plays. Seconds count from the start of the sound. */
export interface Position {
  readonly seconds: number;
  readonly isPaused: boolean;
  readonly warning?: Warning | undefined;
}

/**
 * What a speaker did before an announcement. It is plain data: a journal keeps it, so that a later process can restore it. `replaces`
 * is true if the music must not continue.
 */
export type Before = Readonly<Record<string, string | number | boolean>>;

/** A connection to a speaker, for one announcement. Every method rejects with the reason of its signal when that aborts. */
export interface Device {
  /** Returns what must be restored afterwards, and what shows that it is still the announcement that plays. */
  before(sound: Sound, settings: Settings, signal: AbortSignal): Promise<Before>;
  /**
   * Plays a sound. Yields its position at least each second, and returns what is known of the end.
   * @throws SpeakerFault if the speaker refuses the sound, or somebody ends it
   */
  play(sound: Sound, settings: Settings, signal: AbortSignal): AsyncGenerator<Position, Grade, undefined>;
  /** Ends the sound and restores music, position and volume. A value that somebody changed meanwhile stays. */
  restore(before: Before, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A kind of speakers. */
export interface Kind {
  /** True if the speakers get samples. They need no URL then. */
  readonly takesSamples?: boolean;
  /** Seconds of the unit in which the speakers tell their position. Undefined: fractions of a second. */
  readonly unit?: number;
  /** True if a speaker that plays can leave a question without an answer up to the end of the sound. */
  readonly answersLate?: boolean;
  /** Milliseconds from the command to play to the sound. Quicker kinds wait for slower ones. Undefined: nearly none. */
  readonly delay?: number;
  /** Yields speakers of the network until the signal aborts. */
  find(signal: AbortSignal): AsyncIterable<FoundSpeaker>;
  /** @throws SpeakerFault `unreachable` */
  connect(place: Place, signal: AbortSignal): Promise<Device>;
}
