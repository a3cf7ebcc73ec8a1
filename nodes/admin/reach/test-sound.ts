/** The test sound: a chime and a spoken sentence, or only the chime if the local service cannot speak. */
import { noDressing, type OutputFormat, render } from '@herald-speech/audio';
import { type Client, inspectAudio, wavHeader } from '@herald-speech/client';
import { collect } from '../../output/to-buffer.js';
import type { Formats } from '../../lib/output-format.js';

/** Milliseconds for the sentence, which includes a start of the local service. */
const SPEECH_MS = 15_000;
/** Maximum number of sounds in memory. */
const MAX_SOUNDS = 4;
/** Hertz. Every player has this rate of WAV, and DLNA requires it of MP3. */
const SAMPLE_RATE = 44_100;
/** Kilobits per second. */
const BITRATE = 128;
/** Seconds of silence in place of a sentence, and after the sound. Some players cut off the end. */
const SILENCE = 0.5;

/** A test sound as a complete file. */
export interface TestSound {
  data: Uint8Array;
  extension: string;
  mime: string;
  /** Seconds. */
  duration: number;
  /** The spoken sentence; '' if the sound has only the chime. */
  text: string;
}

/** The content of a test sound. */
interface TestSoundRequest {
  /** The format of the node. Raw audio, which players cannot play by URL, becomes WAV. */
  format: Formats;
  /** The sentence, and its language (ISO 639-1). */
  text: string;
  language: string;
  /** Seconds of silence before the chime, for a speaker that wakes up slowly. */
  silenceBefore?: number;
}

/** A spoken sentence. */
interface Speech {
  audio: Uint8Array;
  text: string;
  /** The mark of synthetic speech. A chime alone has none. */
  mark?: { voice: string; language: string };
}

/** Makes test sounds, and keeps the last ones in memory. */
export class TestSounds {
  private readonly sounds = new Map<string, TestSound>();

  /** @param connect returns the client of the local service */
  constructor(private readonly connect: (signal: AbortSignal) => Promise<Client>) {}

  async get(request: TestSoundRequest, signal: AbortSignal): Promise<TestSound> {
    const format = playerFormat(request.format);
    const { silenceBefore = 0 } = request;
    const key = JSON.stringify([format, request.language, silenceBefore]);
    const known = this.sounds.get(key);
    if (known !== undefined) return known;
    const speech = await this.speak(request, signal);
    const sound = await soundOf(speech, { format, silenceBefore }, signal);
    if (speech !== undefined) this.keep(key, sound);
    return sound;
  }

  private keep(key: string, sound: TestSound): void {
    this.sounds.set(key, sound);
    const [oldest] = this.sounds.keys();
    if (this.sounds.size > MAX_SOUNDS && oldest !== undefined) this.sounds.delete(oldest);
  }

  /** Returns the spoken sentence, or undefined if the local service is missing, does not start or is too slow. */
  private async speak(
    { text, language }: TestSoundRequest,
    signal: AbortSignal,
  ): Promise<Speech | undefined> {
    const late = new AbortController();
    const stop = () => late.abort(signal.reason);
    const timer = setTimeout(stop, SPEECH_MS);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const options = { signal: late.signal };
      const client = await this.connect(late.signal);
      const voice = await client.complete({ language }, {}, options);
      const { audio } = await client.speak({ ...voice, text }, options);
      return { audio, text, mark: { voice: voice.voice_id, language } };
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Returns the format that players can load by URL: WAV or MP3. */
function playerFormat({ format, output_format }: Formats): OutputFormat {
  const isMp3 = format === 'unchanged' ? output_format === 'mp3' : format.container === 'mp3';
  return isMp3
    ? { container: 'mp3', encoding: 'mp3', sampleRate: SAMPLE_RATE, bitrate: BITRATE }
    : { container: 'wav', encoding: 'pcm', sampleRate: SAMPLE_RATE };
}

async function soundOf(
  speech: Speech | undefined,
  { format, silenceBefore }: { format: OutputFormat; silenceBefore: number },
  signal: AbortSignal,
): Promise<TestSound> {
  const { audio, text, mark } = speech ?? { audio: silence(), text: '' };
  const dressing = { ...noDressing, chime: 'ding-dong' as const, silenceBefore, silenceAfter: SILENCE };
  const rendering = await render(once(audio), { format, dressing, signal, mark: mark && (() => mark) });
  const data = await collect(rendering);
  const { extension, mime } = rendering;
  return { data, extension, mime, duration: inspectAudio(data).duration, text };
}

function silence(): Uint8Array {
  const samples = new Uint8Array(2 * SAMPLE_RATE * SILENCE);
  const header = wavHeader(
    { encoding: 'pcm', channels: 1, sampleRate: SAMPLE_RATE, bitsPerSample: 16 },
    samples.length,
  );
  return Buffer.concat([header, samples]);
}

async function* once(audio: Uint8Array) {
  yield { audio, index: 0, count: 1 };
}
