import { concat, lengthOf } from './bytes.js';
import type { Joined, Span } from './joined.js';
import { readFrame } from './mp3-frame.js';
import { infoFrame, outerGapless } from './mp3-info.js';
import type { Mp3 } from './mp3.js';

/** At least one. */
type Mp3s = readonly [Mp3, ...Mp3[]];

/**
 * The frames of all `pieces`, which have one sample rate and number of channels, behind one right info frame.
 * Each piece has to begin with a frame that needs no bits of the one before, as every encoder writes it.
 */
export function joinMp3s(pieces: Mp3s): Joined {
  const audio = concat([mp3Header(pieces), ...pieces.flatMap(({ sound }) => sound)]);
  return { audio, ...timeline(pieces) };
}

/**
 * The info frame for a file that holds the sound of all `pieces`.
 * It has the delay of the first and the padding of the last piece, if both are known: a player can leave out
 * what the encoder added at the two ends, but not at the seams.
 */
function mp3Header(pieces: Mp3s): Uint8Array {
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

/** A piece starts where its sound does, behind what its own encoder added; what players leave out does not count. */
function timeline(pieces: Mp3s): Pick<Joined, 'duration' | 'pieces'> {
  const { sampleRate, samples } = pieces[0].first;
  const { delay, padding } = gaplessOf(pieces) ?? { delay: 0, padding: 0 };
  const spans: Span[] = [];
  let position = -delay;
  for (const { frames, gapless, seconds } of pieces) {
    spans.push({ start: (position + (gapless?.delay ?? 0)) / sampleRate, duration: seconds });
    position += frames * samples;
  }
  return { duration: (position - padding) / sampleRate, pieces: spans };
}
