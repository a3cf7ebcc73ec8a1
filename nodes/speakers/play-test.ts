import { randomUUID } from 'node:crypto';
import { SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { prepareUrl } from '../output/urls/audio-urls.js';
import type { PlayerAccess } from '../output/urls/base-url.js';
import { announceOn, kindOfSpeaker } from './announce-on.js';
import { secondsOf, recordedSound } from './recorded-sound.js';
import { errorIn, playedIn } from './speaker-report.js';
import { keyOf, type Speaker } from './speaker-node.js';
import { speakerQueue } from './speaker-queue.js';

/** A test sound. */
export interface TestSound {
  /** A complete WAV or MP3 file. */
  audio: Uint8Array;
  base_url?: string | undefined;
  /** The settings for players of an account. */
  players?: PlayerAccess | undefined;
  /** Percent. Undefined: as the speaker is set. */
  volume?: number | undefined;
}

/**
 * Plays a test sound on a speaker, behind its announcements, and restores its music. Also for a speaker that is not deployed yet.
 * @returns the entry of `msg.speech.played`
 * @throws SpeechError with the cause and the fix if the speaker does not play the sound to its end
 */
export async function playTest(
  RED: NodeAPI,
  speaker: Speaker,
  { audio, base_url, players, volume }: TestSound,
  signal: AbortSignal,
): Promise<object> {
  const [kind, seconds] = [kindOfSpeaker(RED, speaker), await secondsOf(audio)];
  const { store, base } = await prepareUrl(RED, base_url, players, signal);
  const recorder = await store.record(audio[0] === 'R'.charCodeAt(0) ? 'wav' : 'mp3', signal);
  await recorder.append(audio);
  await recorder.finish(audio.subarray(0, 0));
  const recording = await store.find(recorder.name);
  if (recording === undefined) throw new SpeechError('internal', 'the test sound is gone');
  const [release, key] = [recording.hold(), keyOf(speaker)];
  const booking = speakerQueue.book({ speakers: [key], priority: 0, node: randomUUID(), interrupts: false });
  try {
    const sound = recordedSound(recording, `${base}/${recorder.name}`, seconds);
    await booking.turn(signal);
    const outcomes = await announceOn([{ speaker, kind }], { RED, sound, booking, volume }, signal);
    const error = errorIn(RED, outcomes, players);
    if (error !== undefined) throw error;
    return playedIn(RED, outcomes)[0] ?? {};
  } finally {
    booking.leave();
    release();
  }
}
