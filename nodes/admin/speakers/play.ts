/** Plays the sounds of the dialogs on speakers. */
import { randomUUID } from 'node:crypto';
import { noDressing, render } from '@herald-speech/audio';
import type { Sound } from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import type { PlayerAccess } from '../../output/urls/base-url.js';
import { collect } from '../../output/to-buffer.js';
import { announceOn, kindOfSpeaker } from '../../speakers/announce-on.js';
import { speakerKey, type Speaker } from '../../speakers/speaker-node.js';
import { speakerQueue } from '../../speakers/speaker-queue.js';
import { errorIn, playedIn } from '../../speakers/speaker-report.js';

/** A complete file with its URL. */
export interface PlayableFile {
  data: Uint8Array;
  url: string;
  /** Seconds. */
  duration: number;
  /** The settings for players of an account. */
  players: PlayerAccess | undefined;
  /** Whether a player has requested the URL. */
  isFetched(): boolean;
  /** Is called when a speaker has started to play. */
  onStart?(): void;
}

/**
 * Plays a file on speakers, behind their announcements, each at most at its maximum volume. Restores their music.
 * @returns the entries of `msg.speech.played`
 * @throws SpeechError with the cause and the fix if a speaker does not play the file to its end
 */
export async function playOn(
  RED: NodeAPI,
  speakers: readonly Speaker[],
  file: PlayableFile,
  signal: AbortSignal,
): Promise<readonly object[]> {
  const targets = speakers.map((speaker) => ({ speaker, kind: kindOfSpeaker(RED, speaker) }));
  const keys = [...new Set(speakers.map(speakerKey))];
  const booking = speakerQueue.book({ speakers: keys, priority: 0, node: randomUUID(), interrupts: false });
  try {
    await booking.turn(signal);
    const onStart = () => file.onStart?.();
    const sound = soundOf(file, signal);
    const outcomes = await announceOn(targets, { RED, sound, booking, onStart }, signal);
    const error = errorIn(RED, outcomes, file.players);
    if (error !== undefined) throw error;
    return playedIn(RED, outcomes);
  } finally {
    booking.leave();
  }
}

const soundOf = ({ data, duration, url, isFetched }: PlayableFile, signal: AbortSignal): Sound => ({
  duration,
  url,
  isFetched,
  async pcm({ sampleRate, channels } = { sampleRate: 48_000, channels: 2 }) {
    const format = {
      container: 'raw',
      encoding: 'pcm',
      sampleRate,
      channels: channels === 1 ? 1 : 2,
    } as const;
    const rendering = await render(once(data), { format, dressing: noDressing, signal });
    return { data: await collect(rendering), sampleRate, channels: format.channels };
  },
});

async function* once(audio: Uint8Array) {
  yield { audio, index: 0, count: 1 };
}
