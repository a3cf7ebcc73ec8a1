import { AudioError } from './audio-error.js';
import { ascii } from './bytes.js';
import { readFrame, sameStream, type Frame } from './mp3-frame.js';
import { outerGapless, readInfo, type Gapless, type Info } from './mp3-info.js';
import { tagLength } from './mp3-tags.js';

/** The sound in an MP3. */
export interface Mp3 {
  /** First frame of sound. */
  first: Frame;
  /** The frames, as runs of bytes of the input: without tags and info frames. */
  sound: readonly Uint8Array[];
  /** Number of frames. */
  frames: number;
  /** Played seconds: without what the encoder added, where the file tells it. */
  seconds: number;
  constantBitrate: boolean;
  gapless: Gapless | undefined;
  /** An info frame leads and tells the right number of frames. */
  tellsLength: boolean;
}

/** Some writers fill up with zeros before the first and behind the last frame; more than this is a hole. */
const MAX_ZEROS = 2048;

interface Walk {
  readonly bytes: Uint8Array;
  at: number;
  first?: Frame;
  frames: number;
  constantBitrate: boolean;
  /** Start and end of each run of frames. */
  readonly runs: { start: number; end: number }[];
  readonly infos: (Info & { framesBefore: number })[];
}

/**
 * Reads a whole MP3 (MPEG 1, 2 and 2.5, layer III) frame by frame.
 *
 * Every byte has to belong to a frame, a tag (ID3v1, ID3v2, APEv2) or a short run of zeros, so that neither a page of
 * HTML nor an error message behind the sound passes. Info frames (Xing, Info, VBRI) are no sound. Files that were put
 * behind one another as they are come out as one.
 *
 * A file cut within a frame is `incomplete`, and so is one with fewer frames than its info frame tells. A file without
 * info frame that was cut exactly between two frames can't be told from a whole one.
 *
 * Throws AudioError: `not-audio` (also for layers I and II and free format), `incomplete`.
 */
export function parseMp3(bytes: Uint8Array): Mp3 {
  const walk: Walk = { bytes, at: 0, frames: 0, constantBitrate: true, runs: [], infos: [] };
  while (walk.at < bytes.length) step(walk);
  const { first, frames, constantBitrate, runs, infos } = walk;
  if (!first) throw noSound(walk);
  checkCounts(walk);
  const sound = runs.map(({ start, end }) => bytes.subarray(start, end));
  const gapless = wholeGapless(infos, frames * first.samples);
  const seconds = playedSamples({ first, frames, gapless }) / first.sampleRate;
  const tellsLength = infos[0]?.framesBefore === 0 && infos[0].frames === frames;
  return { first, sound, frames, seconds, constantBitrate, gapless, tellsLength };
}

/**
 * Whether the first bytes of a file are those of an MP3: a tag that reaches behind them, or a frame that is followed
 * by one that fits, as far as they go.
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
  walk.at += length;
}

/** Bytes from `at` on that are no sound but belong in an MP3: a tag or zeros. */
function skippable(bytes: Uint8Array, at: number): number {
  return tagLength(bytes, at) || zerosAt(bytes, at);
}

function zerosAt(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === 0 && end - at <= MAX_ZEROS) end++;
  return end - at <= MAX_ZEROS ? end - at : 0;
}

function takeFrame(walk: Walk, frame: Frame): void {
  const { bytes, at, frames, runs, infos } = walk;
  const info = readInfo(bytes, at, frame);
  if (info) {
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

/** Two frames that fit together are no coincidence: what breaks off behind them was an MP3. */
function broken({ bytes, at, frames }: Walk): AudioError {
  const tail = frames > 0 && bytes.length - at < 4;
  if (frames >= 2 || tail)
    return new AudioError('incomplete', `MP3 is damaged: no frame at byte ${at} of ${bytes.length}`);
  return new AudioError('not-audio', `not an MP3: no frame at byte ${at}`);
}

function cutShort({ bytes, at }: Walk, length: number): AudioError {
  return new AudioError(
    'incomplete',
    `MP3 is cut short: ${bytes.length - at} of ${length} bytes at byte ${at} are there`,
  );
}

function noSound({ bytes, infos }: Walk): AudioError {
  const started = infos.length > 0 || bytes.length === 0 || tagLength(bytes, 0) > 0;
  return started
    ? new AudioError('incomplete', `MP3 ends after ${bytes.length} bytes, before any sound`)
    : new AudioError('not-audio', 'not an MP3: it holds no frame');
}

function checkCounts({ infos, frames }: Walk): void {
  for (const [index, { framesBefore, frames: declared }] of infos.entries()) {
    const found = (infos[index + 1]?.framesBefore ?? frames) - framesBefore;
    if (found >= declared) continue;
    throw new AudioError('incomplete', `MP3 is cut short: ${found} of ${declared} frames are there`);
  }
}

/** What to leave out in front and behind, over all files that lie in this one. */
function wholeGapless(infos: Walk['infos'], samples: number): Gapless | undefined {
  const [start, end] = [infos[0], infos.at(-1)];
  if (start?.framesBefore !== 0) return undefined;
  const gapless = outerGapless(start.gapless, end?.gapless);
  return gapless && gapless.delay + gapless.padding < samples ? gapless : undefined;
}

function playedSamples({ first, frames, gapless }: Pick<Mp3, 'first' | 'frames' | 'gapless'>): number {
  return frames * first.samples - (gapless?.delay ?? 0) - (gapless?.padding ?? 0);
}
