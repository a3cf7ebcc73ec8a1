import { AudioError } from '../base/audio-error.js';
import { ascii } from './bytes.js';
import { id3Mark, wavMark } from './mark.js';
import { readMark, withMark, withoutMark } from './mark-in-file.js';
import { joinMp3s, type JoinedPieces, type PlayingTime } from './mp3-join.js';
import { beginsMp3, parseMp3, type Mp3 } from './mp3.js';
import { MP3_SOUND, proofFor, type SignedMark, wavSound } from './signature.js';
import { parseWav, writeWav, type Wav } from './wav.js';

export { AudioError } from '../base/audio-error.js';

/** The media type of each container. */
export const audioMimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

export type AudioFormat = keyof typeof audioMimes;

/** The properties of a complete audio file. */
interface AudioInfo {
  format: AudioFormat;
  mime: (typeof audioMimes)[AudioFormat];
  /** Playing time in seconds. */
  duration: number;
  channels: number;
  /** Hertz. */
  sampleRate: number;
  /** Human-readable. Files can be joined only if their descriptions are equal: "WAV pcm 16 bit 22050 Hz mono". */
  description: string;
}

/** Several audio files, joined into one. */
export interface JoinedAudio extends JoinedPieces {
  format: AudioFormat;
  mime: (typeof audioMimes)[AudioFormat];
}

/** A complete audio file, parsed once. */
export type ParsedAudio = { bytes: Uint8Array } & ({ format: 'wav'; wav: Wav } | { format: 'mp3'; mp3: Mp3 });

/**
 * Detects the container from the first bytes. Returns undefined if they start neither a WAV nor an MP3.
 * Does not check the rest: use `inspectAudio` to verify that the file is complete.
 */
export function sniffAudio(head: Uint8Array): AudioFormat | undefined {
  const riff = ['RIFF', 'RF64', 'RIFX'].includes(ascii(head, 0, 4));
  if (riff) return ascii(head, 8, 4) === 'WAVE' ? 'wav' : undefined;
  return beginsMp3(head) ? 'mp3' : undefined;
}

/**
 * Checks that `bytes` are a complete WAV or MP3 with at least one sample, and returns its properties. `parseWav` and
 * `parseMp3` document when a file counts as complete.
 * @throws AudioError `not-audio`, `incomplete` or `unsupported`
 */
export function inspectAudio(bytes: Uint8Array): AudioInfo {
  return describeAudio(parseAudio(bytes));
}

/**
 * Joins audio files into one file of the same container. Copies the audio once.
 *
 * The mark of the first marked piece becomes the mark of the joined file, without its signature.
 * A single piece is returned unchanged (the same memory) if its header declares its length. Otherwise it gets a new
 * header. MP3 encoders add silence at both ends: players skip it at the ends of the joined file, but play it at the seams.
 * @throws AudioError `mismatch` if the pieces differ in container or sample format; otherwise as `inspectAudio`. The
 *   message names the piece, counted from 1.
 */
export function joinAudio(pieces: readonly Uint8Array[]): JoinedAudio {
  return joinParsed(pieces.map(parseNumbered));
}

/**
 * Joins parsed audio files as `joinAudio` does.
 * @param mark the mark of the joined file if no piece has one, and the key that signs it; false for a file without a mark. Default:
 *   no mark if no piece has one.
 * @throws AudioError `mismatch` if the pieces differ in container or sample format; `not-audio` without a piece
 */
export function joinParsed(pieces: readonly ParsedAudio[], mark?: SignedMark | false): JoinedAudio {
  const infos = pieces.map(describeAudio);
  const [first] = pieces;
  const [info] = infos;
  if (!first || !info) throw new AudioError('not-audio', 'no audio to join: pass at least one piece');
  checkAlike(infos);
  const { format, mime, duration } = info;
  if (pieces.length === 1 && declaresLength(first)) {
    const audio = singleMarked(first.bytes, mark);
    return { audio, format, mime, duration, pieces: [{ start: 0, duration }] };
  }
  return { ...joinAlike(first, pieces.slice(1), mark), format, mime };
}

/** Joins pieces of one container. The filters drop none: they only narrow the type. */
function joinAlike(
  first: ParsedAudio,
  rest: readonly ParsedAudio[],
  wish?: SignedMark | false,
): JoinedPieces {
  const mark = wish === false ? undefined : joinedMark([first, ...rest], wish);
  if (first.format === 'wav') {
    const wavs = rest.flatMap((piece) => (piece.format === 'wav' ? [piece.wav] : []));
    return joinWavs([first.wav, ...wavs], mark);
  }
  const mp3s = rest.flatMap((piece) => (piece.format === 'mp3' ? [piece.mp3] : []));
  const sound = [first.mp3, ...mp3s].flatMap((piece) => piece.sound);
  return joinMp3s([first.mp3, ...mp3s], mark && id3Mark(mark, proofFor(mark, MP3_SOUND, sound)));
}

/** Returns the only piece with the mark that the caller chose. */
function singleMarked(bytes: Uint8Array, mark?: SignedMark | false): Uint8Array {
  if (mark === undefined) return bytes;
  if (mark === false) return withoutMark(bytes);
  const former = readMark(bytes);
  if (former === undefined) return withMark(bytes, mark);
  return mark.signer === undefined ? bytes : withMark(bytes, { signer: mark.signer, ...former });
}

/** Returns the mark of the first piece that has one, or else the wish, with the key of the wish. */
function joinedMark(pieces: readonly ParsedAudio[], wish: SignedMark | undefined): SignedMark | undefined {
  for (const { bytes } of pieces) {
    const mark = readMark(bytes);
    if (mark !== undefined) return { ...mark, signer: wish?.signer };
  }
  return wish;
}

function parseNumbered(bytes: Uint8Array, index: number): ParsedAudio {
  try {
    return parseAudio(bytes);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new AudioError(error.kind, `piece ${index + 1}: ${error.message}`, { cause: error });
  }
}

/**
 * Parses a complete WAV or MP3.
 * @throws AudioError as `inspectAudio`
 */
export function parseAudio(bytes: Uint8Array): ParsedAudio {
  const format = sniffAudio(bytes);
  if (format === 'mp3') return { bytes, format, mp3: parseMp3(bytes) };
  if (format === undefined) throw notAudio(bytes);
  const wav = parseWav(bytes);
  if (wav.data.length === 0) throw new AudioError('incomplete', 'WAV contains no samples');
  return { bytes, format, wav };
}

/** Formats that users often send by mistake: a marker, its offset in bytes, the name of the format. */
const otherFormats = [
  ['fLaC', 0, 'FLAC'],
  ['OggS', 0, 'Ogg'],
  ['ftyp', 4, 'MP4 or M4A'],
  ['\x1aE\xdf\xa3', 0, 'WebM'],
  ['<', 0, 'HTML or XML'],
  ['{', 0, 'JSON'],
] as const;

function notAudio(bytes: Uint8Array): AudioError {
  if (bytes.length === 0) return new AudioError('incomplete', 'the audio is empty (0 bytes)');
  const other = otherFormats.find(([text, at]) => ascii(bytes, at, text.length) === text);
  return new AudioError('not-audio', `neither WAV nor MP3${other ? `, but apparently ${other[2]}` : ''}`);
}

/** Returns the properties of a parsed file. */
export function describeAudio(parsed: ParsedAudio): AudioInfo {
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
  const index = infos.findIndex(({ description }) => description !== first?.description);
  if (index < 0) return;
  throw new AudioError(
    'mismatch',
    `piece ${index + 1} is ${infos[index]?.description}, piece 1 is ${first?.description}`,
  );
}

function declaresLength(parsed: ParsedAudio): boolean {
  return parsed.format === 'wav' ? !parsed.wav.streaming : parsed.mp3.declaresLength;
}

function joinWavs(wavs: readonly [Wav, ...Wav[]], mark: SignedMark | undefined): JoinedPieces {
  const spans: PlayingTime[] = [];
  let start = 0;
  for (const { seconds } of wavs) {
    spans.push({ start, duration: seconds });
    start += seconds;
  }
  const [{ format }] = wavs;
  const data = wavs.map((wav) => wav.data);
  const chunk = mark && wavMark(mark, proofFor(mark, wavSound(format), data));
  return { audio: writeWav(format, data, chunk), duration: start, pieces: spans };
}
