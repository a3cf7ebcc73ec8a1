import { concat, lengthOf } from './bytes.js';
import { readFrame } from './mp3-frame.js';
import { infoFrame, outerGapless } from './mp3-info.js';
import type { Mp3 } from './mp3.js';

/** The playing time of a piece within the joined file, in seconds. */
export interface PlayingTime {
  start: number;
  duration: number;
}

/** Several files of one container, joined into one. */
export interface JoinedPieces {
  audio: Uint8Array;
  /** Playing time of the joined file in seconds. */
  duration: number;
  pieces: PlayingTime[];
}

/** One or more MP3 files. */
type Mp3s = readonly [Mp3, ...Mp3[]];

/**
 * Joins the frames of all `pieces` behind one new info frame. All pieces must have the same sample rate and channels.
 * The first frame of each piece must not depend on an earlier frame (bit reservoir). All encoders comply.
 * @param mark a tag for the start of the file
 */
export function joinMp3s(pieces: Mp3s, mark: Uint8Array = new Uint8Array()): JoinedPieces {
  const audio = concat([mark, joinedInfoFrame(pieces), ...pieces.flatMap(({ sound }) => sound)]);
  return { audio, ...timeline(pieces) };
}

/**
 * Creates the info frame for the joined file. It contains the delay of the first and the padding of the last piece, if
 * both are known. A player skips the padding samples at the two ends of the file, but not at the seams.
 */
function joinedInfoFrame(pieces: Mp3s): Uint8Array {
  const [{ first }] = pieces;
  const sound = pieces.flatMap((piece) => piece.sound);
  return infoFrame({
    first,
    frames: pieces.reduce((total, { frames }) => total + frames, 0),
    constantBitrate: pieces.every((piece) => piece.constantBitrate && piece.first.bitrate === first.bitrate),
    gapless: gaplessOf(pieces),
    bytes: lengthOf(sound),
    lengths: frameLengths(sound),
  });
}

function gaplessOf(pieces: Mp3s): Mp3['gapless'] {
  return outerGapless(pieces[0].gapless, pieces.at(-1)?.gapless);
}

function* frameLengths(sound: readonly Uint8Array[]): Generator<number> {
  for (const run of sound) {
    for (let at = 0, frame = readFrame(run, at); frame; frame = readFrame(run, at)) {
      yield frame.length;
      at += frame.length;
    }
  }
}

/** Computes the playing time of each piece. A piece starts after its own delay. Samples that players skip do not count. */
function timeline(pieces: Mp3s): Pick<JoinedPieces, 'duration' | 'pieces'> {
  const { sampleRate, samples } = pieces[0].first;
  const { delay, padding } = gaplessOf(pieces) ?? { delay: 0, padding: 0 };
  const spans: PlayingTime[] = [];
  let position = -delay;
  for (const { frames, gapless, seconds } of pieces) {
    spans.push({ start: (position + (gapless?.delay ?? 0)) / sampleRate, duration: seconds });
    position += frames * samples;
  }
  return { duration: (position - padding) / sampleRate, pieces: spans };
}
