import { AudioError } from '../base/audio-error.js';
import { ascii } from './bytes.js';
import { readFrame, sameStream, type Frame } from './mp3-frame.js';
import { outerGapless, readInfo, type Gapless, type Info } from './mp3-info.js';
import { tagLength } from './mp3-tags.js';

/** A parsed MP3. */
export interface Mp3 {
  /** The first audio frame. */
  first: Frame;
  /** The audio frames as byte ranges of the input, without tags and info frames. */
  sound: readonly Uint8Array[];
  /** Bytes that are no audio frame, but that a player may play: zeros, later info frames, and tags with frames inside. */
  others: readonly Uint8Array[];
  /** Number of audio frames. */
  frames: number;
  /** Playing time in seconds, without the encoder's padding if the file declares it. */
  seconds: number;
  constantBitrate: boolean;
  gapless: Gapless | undefined;
  /** True if the file starts with an info frame that declares the correct number of frames. */
  declaresLength: boolean;
}

/** Bytes. Some writers add zeros before the first and after the last frame. A longer run of zeros means damage. */
const MAX_ZEROS = 2048;

/** The state while reading a file frame by frame. */
interface Walk {
  readonly bytes: Uint8Array;
  at: number;
  first?: Frame;
  frames: number;
  constantBitrate: boolean;
  /** Start and end of each run of frames. */
  readonly runs: { start: number; end: number }[];
  readonly infos: (Info & { framesBefore: number })[];
  readonly others: Uint8Array[];
}

/**
 * Reads a whole MP3 (MPEG 1, 2 and 2.5, layer III) frame by frame.
 *
 * Every byte must belong to a frame, a tag (ID3v1, ID3v2, APEv2) or a short run of zeros. This rejects HTML pages and
 * error messages that follow the audio. Info frames (Xing, Info, VBRI) do not count as audio frames. Concatenated MP3
 * files are read as one file.
 *
 * A file that ends inside a frame is `incomplete`. So is a file with fewer frames than its info frame declares. If a file
 * has no info frame and ends exactly between two frames, truncation cannot be detected.
 *
 * @throws AudioError `not-audio` (also for layers I and II and for free format) or `incomplete`
 */
export function parseMp3(bytes: Uint8Array): Mp3 {
  const walk: Walk = { bytes, at: 0, frames: 0, constantBitrate: true, runs: [], infos: [], others: [] };
  while (walk.at < bytes.length) step(walk);
  const { first, frames, constantBitrate, runs, infos, others } = walk;
  if (!first) throw noSound(walk);
  checkCounts(walk);
  const sound = runs.map(({ start, end }) => bytes.subarray(start, end));
  const gapless = wholeGapless(infos, frames * first.samples);
  const seconds = playedSamples({ first, frames, gapless }) / first.sampleRate;
  const declaresLength = infos[0]?.framesBefore === 0 && infos[0].frames === frames;
  return { first, sound, others, frames, seconds, constantBitrate, gapless, declaresLength };
}

/**
 * Returns whether a file with these first bytes can be an MP3. They must contain a tag that exceeds them, or a frame
 * followed by a matching frame (if they reach that far).
 */
export function beginsMp3(head: Uint8Array): boolean {
  let at = 0;
  for (let skip = skippable(head, at); skip > 0; skip = skippable(head, at)) at += skip;
  if (at >= head.length) return ascii(head, 0, 3) === 'ID3';
  const frame = readFrame(head, at);
  if (!frame) return false;
  const behind = at + frame.length;
  const next = readFrame(head, behind);
  return next ? sameStream(frame, next) : behind + 4 > head.length || skippable(head, behind) > 0;
}

function step(walk: Walk): void {
  const frame = readFrame(walk.bytes, walk.at);
  const length = frame?.length ?? skippable(walk.bytes, walk.at);
  if (length === 0 || (frame && walk.first && !sameStream(frame, walk.first))) throw broken(walk);
  if (walk.at + length > walk.bytes.length) throw cutShort(walk, length);
  if (frame) takeFrame(walk, frame);
  else if (!isSkipped(walk, length)) walk.others.push(walk.bytes.subarray(walk.at, walk.at + length));
  walk.at += length;
}

/** Returns whether all players skip these bytes: an ID3v2 tag at the start, or another tag without a frame inside. */
function isSkipped({ bytes, at, first }: Walk, length: number): boolean {
  if (bytes[at] === 0) return false;
  if (first === undefined && ascii(bytes, at, 3) === 'ID3') return true;
  const tag = bytes.subarray(at, at + length);
  for (let from = tag.indexOf(0xff); from >= 0; from = tag.indexOf(0xff, from + 1))
    if (readFrame(bytes, at + from) !== undefined) return false;
  return true;
}

/** Returns the number of bytes at offset `at` that belong to a tag or to a run of zeros. */
function skippable(bytes: Uint8Array, at: number): number {
  return tagLength(bytes, at) || zerosAt(bytes, at);
}

function zerosAt(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === 0 && end - at <= MAX_ZEROS) end++;
  return end - at <= MAX_ZEROS ? end - at : 0;
}

function takeFrame(walk: Walk, frame: Frame): void {
  const { bytes, at, frames, runs, infos, others } = walk;
  const info = readInfo(bytes, at, frame);
  if (info) {
    if (infos.length > 0 || frames > 0) others.push(bytes.subarray(at, at + frame.length));
    infos.push({ ...info, framesBefore: frames });
    return;
  }
  walk.first ??= frame;
  walk.frames += 1;
  walk.constantBitrate &&= frame.bitrate === walk.first.bitrate;
  const run = runs.at(-1);
  if (run?.end === at) run.end += frame.length;
  else runs.push({ start: at, end: at + frame.length });
}

/** If two consecutive frames match, the input is a damaged MP3 rather than another format. */
function broken({ bytes, at, frames }: Walk): AudioError {
  const tail = frames > 0 && bytes.length - at < 4;
  if (frames >= 2 || tail)
    return new AudioError('incomplete', `damaged MP3: no frame at byte ${at} of ${bytes.length}`);
  return new AudioError('not-audio', `not an MP3: no frame at byte ${at}`);
}

function cutShort({ bytes, at }: Walk, length: number): AudioError {
  return new AudioError(
    'incomplete',
    `truncated MP3: the frame or tag at byte ${at} has ${bytes.length - at} of ${length} bytes`,
  );
}

function noSound({ bytes, infos }: Walk): AudioError {
  const started = infos.length > 0 || bytes.length === 0 || tagLength(bytes, 0) > 0;
  return started
    ? new AudioError(
        'incomplete',
        `truncated MP3: ends after ${bytes.length} bytes, before the first audio frame`,
      )
    : new AudioError('not-audio', 'not an MP3: no frame found');
}

function checkCounts({ infos, frames }: Walk): void {
  for (const [index, { framesBefore, frames: declared }] of infos.entries()) {
    const found = (infos[index + 1]?.framesBefore ?? frames) - framesBefore;
    if (found >= declared) continue;
    throw new AudioError('incomplete', `truncated MP3: ${found} of ${declared} frames`);
  }
}

/** Returns the delay of the first and the padding of the last of the concatenated files. */
function wholeGapless(infos: Walk['infos'], samples: number): Gapless | undefined {
  const [start, end] = [infos[0], infos.at(-1)];
  if (start?.framesBefore !== 0) return undefined;
  const gapless = outerGapless(start.gapless, end?.gapless);
  return gapless && gapless.delay + gapless.padding < samples ? gapless : undefined;
}

function playedSamples({ first, frames, gapless }: Pick<Mp3, 'first' | 'frames' | 'gapless'>): number {
  return frames * first.samples - (gapless?.delay ?? 0) - (gapless?.padding ?? 0);
}
