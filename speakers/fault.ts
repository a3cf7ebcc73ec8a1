/** The reasons for which a speaker did not play a sound. */
import { printable, type Text, textsOf } from '@herald-speech/client/interface';
import type { Warning } from './kind.js';

/** Maximum number of characters that a speaker says of a problem. */
const MAX_PROBLEM = 200;

/** The messages by reason. `{name}` stands for a value (nodes/locales/runtime.json has the translations). */
export const faultMessages = {
  'speaker-unreachable': '{speaker} does not answer: {problem}. Check that it is on, and its address',
  'speaker-no-renderer':
    '{speaker}: no DLNA renderer answers at {problem}. Check that it is on, choose it among the found speakers, or enter the URL of its description',
  'speaker-no-player':
    '{speaker}: this computer has no program that plays audio. Install the package pipewire-bin, pulseaudio-utils or alsa-utils, or choose a speaker of the network',
  'speaker-no-sound':
    '{speaker}: the sound system does not play: {problem}. Check that PipeWire, PulseAudio or ALSA runs for the user of Node-RED, and the address of the sound card',
  'speaker-not-fetched': '{speaker} did not fetch the audio: it cannot reach this address. Check Base URL',
  'speaker-no-progress': '{speaker} fetched the audio and plays nothing: try another Format',
  'speaker-no-token':
    '{speaker}: Password or token is blank. Enter a long-lived access token of Home Assistant there',
  'speaker-refused': '{speaker} refused the audio: {problem}',
  'speaker-stopped': 'somebody stopped the announcement on {speaker} after {seconds} s',
  'speaker-skipped': 'somebody played something else on {speaker} after {seconds} s',
  'speaker-paused': 'somebody paused the announcement on {speaker} after {seconds} s',
  'speaker-short': '{speaker} ended the announcement after {seconds} of {duration} s',
  'speaker-late': '{speaker} did not end the announcement in time',
  'speaker-lost': '{speaker} is gone since {seconds} s of the announcement: {problem}',
} as const;

export type FaultReason = keyof typeof faultMessages;

/** The reasons of a speaker that took no announcement: it is off, has another address, or lacks a program. */
const UNREACHABLE: ReadonlySet<FaultReason> = new Set([
  'speaker-unreachable',
  'speaker-no-renderer',
  'speaker-no-player',
]);

/** The messages of warnings. `{name}` stands for a value, as in `faultMessages`. */
export const warningMessages = {
  'speaker-silent': '{speaker} was mute or at volume 0',
  'speaker-music-lost': '{speaker} cannot continue what it played before',
} as const satisfies Record<Warning, string>;

const say = textsOf({ ...faultMessages, ...warningMessages });

/** Seconds of the announcement, and what the system or the speaker said. */
interface FaultValues {
  seconds?: number;
  duration?: number;
  problem?: string;
}

/** A speaker did not play a sound, or not to its end. */
export class SpeakerFault extends Error {
  override readonly name = 'SpeakerFault';
  readonly values: FaultValues;

  constructor(
    readonly reason: FaultReason,
    { problem, ...values }: FaultValues = {},
    options: { cause?: unknown } = {},
  ) {
    const all = { ...values, ...(problem !== undefined && { problem: printable(problem, MAX_PROBLEM) }) };
    super(`${reason} ${JSON.stringify(all)}`, options);
    this.values = all;
  }

  /** Whether nothing answered at the address of the speaker. */
  get isUnreachable(): boolean {
    return UNREACHABLE.has(this.reason);
  }

  /** Returns the message with the name of the speaker. */
  textFor(speaker: string): Text {
    const { seconds = 0, duration = 0, problem = '' } = this.values;
    const all = { speaker, seconds: rounded(seconds), duration: rounded(duration), problem };
    // Each message takes the values that it names.
    return say<FaultReason>(this.reason, all);
  }
}

/** Returns the message of a warning with the name of the speaker. */
export const warningText = (warning: Warning, speaker: string): Text => say<Warning>(warning, { speaker });

/** Rounds seconds for a message. */
const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Returns the fault for an error of the network or the file system. */
export const unreachable = (error: unknown): SpeakerFault =>
  new SpeakerFault('speaker-unreachable', { problem: problemOf(error) }, { cause: error });

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns a handler that ignores the faults with a reason, and throws any other error. */
export const unless =
  (reason: FaultReason) =>
  (error: unknown): undefined => {
    if (!(error instanceof SpeakerFault) || error.reason !== reason) throw error;
    return undefined;
  };
