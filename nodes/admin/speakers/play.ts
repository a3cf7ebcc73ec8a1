/** Plays the sounds of the dialogs on a speaker. */
import { noDressing, render } from '@herald-speech/audio';
import { SpeechError } from '@herald-speech/client';
import type { Sound } from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import { collect } from '../../output/to-buffer.js';
import type { Speaker } from '../../speakers/speaker-node.js';
import { speakersPackage } from '../../speakers/speakers-package.js';

/** A complete file with its URL. */
export interface PlayableFile {
  data: Uint8Array;
  url: string;
  /** Seconds. */
  duration: number;
  /** Whether a player has requested the URL. */
  isFetched(): boolean;
}

/** What is known of a sound on a speaker. */
export interface PlayedReport {
  speaker: string;
  proof: string;
}

/**
 * Plays a file on a speaker, with its wake-up and at most its maximum volume.
 * @throws SpeechError with the reason of the speaker
 */
export async function playOn(
  RED: NodeAPI,
  { name, kind, place, maxVolume }: Speaker,
  file: PlayableFile,
  signal: AbortSignal,
): Promise<PlayedReport> {
  const { announce, kindNames, kindOf, SpeakerFault } = speakersPackage(RED);
  const known = kindNames.find((one) => one === kind);
  if (known === undefined)
    throw new SpeechError(
      'not-configured',
      say('speaker-kind-unknown', { name, value: kind, kinds: kindNames.join(', ') }),
    );
  const volume = maxVolume < 100 ? maxVolume : undefined;
  const announcement = {
    sound: soundOf(file, signal),
    settings: { volume, together: async () => undefined },
    journal: { begin: async () => undefined, end: async () => undefined },
  };
  try {
    const { proof } = await announce(kindOf(known), place, announcement, signal);
    return { speaker: name, proof };
  } catch (error) {
    if (error instanceof SpeakerFault)
      throw new SpeechError('no-reply', error.textFor(name), { cause: error });
    throw error;
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
