import { AudioError } from './audio-error.js';
import { ascii } from './bytes.js';
import type { Joined, Span } from './joined.js';
import { joinMp3s } from './mp3-join.js';
import { beginsMp3, parseMp3, type Mp3 } from './mp3.js';
import { parseWav, writeWav, type Wav } from './wav.js';

export { AudioError, type AudioErrorKind } from './audio-error.js';

/** Media type of each container. */
export const audioMimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

export type AudioFormat = keyof typeof audioMimes;

/** What a whole audio file is. */
export interface AudioInfo {
  format: AudioFormat;
  mime: (typeof audioMimes)[AudioFormat];
  /** Played seconds. */
  duration: number;
  channels: number;
  /** Hz */
  sampleRate: number;
  /** For people, all that has to be equal in files that are joined: "WAV pcm 16 bit 22050 Hz mono". */
  description: string;
}

/** Many audio files as one. */
export interface JoinedAudio extends Joined {
  format: AudioFormat;
  mime: (typeof audioMimes)[AudioFormat];
}

type Parsed = { format: 'wav'; wav: Wav } | { format: 'mp3'; mp3: Mp3 };

/**
 * The container that bytes begin like, by a look at the beginning alone: `undefined` is no WAV and no MP3.
 * Whether the rest is sound, too, and whole, tells `inspectAudio`.
 */
export function sniffAudio(head: Uint8Array): AudioFormat | undefined {
  const riff = ['RIFF', 'RF64', 'RIFX'].includes(ascii(head, 0, 4));
  if (riff) return ascii(head, 8, 4) === 'WAVE' ? 'wav' : undefined;
  return beginsMp3(head) ? 'mp3' : undefined;
}

/**
 * What `bytes` are, by their content alone. Throws AudioError (`not-audio`, `incomplete`, `unsupported`) where they are
 * no whole WAV or MP3 with sound in it; `parseWav` and `parseMp3` tell what counts as whole.
 */
export function inspectAudio(bytes: Uint8Array): AudioInfo {
  return describe(parse(bytes));
}

/**
 * Puts audio files behind one another, as one file of the same container; the sound is copied once.
 *
 * A single piece comes back as it is (the same memory) if its header tells its length; else it gets such a header.
 * MP3 pieces keep the silence that their encoder put at both ends, except at the two ends of the whole.
 * Throws AudioError: `mismatch` where pieces differ in container or sample format, or what `inspectAudio` throws; the
 * message names the piece, counted from 1.
 */
export function joinAudio(pieces: readonly Uint8Array[]): JoinedAudio {
  const parsed = pieces.map(parseNumbered);
  checkAlike(parsed.map(describe));
  const [first] = parsed;
  const [only] = pieces;
  if (!first || !only) throw new AudioError('not-audio', 'there is no audio to join');
  const { format, mime, duration } = describe(first);
  if (pieces.length === 1 && tellsLength(first)) {
    return { audio: only, format, mime, duration, pieces: [{ start: 0, duration }] };
  }
  return { ...joinAlike(first, parsed.slice(1)), format, mime };
}

/** All pieces are of one container, so that the filters drop none. */
function joinAlike(first: Parsed, rest: readonly Parsed[]): Joined {
  return first.format === 'wav'
    ? joinWavs([first.wav, ...rest.flatMap((piece) => (piece.format === 'wav' ? [piece.wav] : []))])
    : joinMp3s([first.mp3, ...rest.flatMap((piece) => (piece.format === 'mp3' ? [piece.mp3] : []))]);
}

function parseNumbered(bytes: Uint8Array, index: number): Parsed {
  try {
    return parse(bytes);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new AudioError(error.kind, `piece ${index + 1}: ${error.message}`, { cause: error });
  }
}

function parse(bytes: Uint8Array): Parsed {
  const format = sniffAudio(bytes);
  if (format === 'mp3') return { format, mp3: parseMp3(bytes) };
  if (format === undefined) throw notAudio(bytes);
  const wav = parseWav(bytes);
  if (wav.data.length === 0) throw new AudioError('incomplete', 'WAV holds no sound');
  return { format, wav };
}

/** What users send or get most often in place of a WAV or an MP3: text, its offset, what it stands for. */
const others = [
  ['fLaC', 0, 'FLAC'],
  ['OggS', 0, 'Ogg'],
  ['ftyp', 4, 'MP4 or M4A'],
  ['\x1aE\xdf\xa3', 0, 'WebM'],
  ['<', 0, 'HTML or XML'],
  ['{', 0, 'JSON'],
] as const;

function notAudio(bytes: Uint8Array): AudioError {
  if (bytes.length === 0) return new AudioError('incomplete', 'the audio is empty');
  const other = others.find(([text, at]) => ascii(bytes, at, text.length) === text);
  return new AudioError('not-audio', `neither a WAV nor an MP3${other ? `, it looks like ${other[2]}` : ''}`);
}

function describe(parsed: Parsed): AudioInfo {
  return parsed.format === 'wav' ? describeWav(parsed.wav) : describeMp3(parsed.mp3);
}

function describeWav({ format, seconds }: Wav): AudioInfo {
  const { encoding, bitsPerSample, sampleRate, channels } = format;
  const description = `WAV ${encoding} ${bitsPerSample} bit ${sampleRate} Hz ${channelsName(channels)}`;
  return { format: 'wav', mime: audioMimes.wav, duration: seconds, channels, sampleRate, description };
}

function describeMp3({ first: { sampleRate, channels }, seconds }: Mp3): AudioInfo {
  const description = `MP3 ${sampleRate} Hz ${channelsName(channels)}`;
  return { format: 'mp3', mime: audioMimes.mp3, duration: seconds, channels, sampleRate, description };
}

function channelsName(channels: number): string {
  return ['mono', 'stereo'][channels - 1] ?? `${channels} channels`;
}

function checkAlike(infos: readonly AudioInfo[]): void {
  const [first] = infos;
  const odd = infos.findIndex(({ description }) => description !== first?.description);
  if (odd < 0) return;
  const [mine, theirs] = [infos[odd]?.description, first?.description];
  throw new AudioError('mismatch', `piece ${odd + 1} is ${mine}, piece 1 is ${theirs}`);
}

function tellsLength(parsed: Parsed): boolean {
  return parsed.format === 'wav' ? !parsed.wav.streaming : parsed.mp3.tellsLength;
}

function joinWavs(wavs: readonly [Wav, ...Wav[]]): Joined {
  const spans: Span[] = [];
  let start = 0;
  for (const { seconds } of wavs) {
    spans.push({ start, duration: seconds });
    start += seconds;
  }
  return {
    audio: writeWav(
      wavs[0].format,
      wavs.map(({ data }) => data),
    ),
    duration: start,
    pieces: spans,
  };
}
