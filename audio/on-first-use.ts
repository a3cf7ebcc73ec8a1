/** Functions whose modules load with the first call, because loading them would delay the start of Node-RED. */
import type * as Cues from './captions/cues.js';
import type { Caption } from './captions/caption.js';
import type * as Chime from './dressing/chime.js';
import type * as CheckDressing from './dressing/check-dressing.js';
import type { ChimeName, Dressing } from './dressing/dressing.js';
import type * as Render from './rendering/render.js';
import type { Piece, Rendering, RenderOptions, SeparateRendering } from './rendering/rendering.js';

let loadedCues: typeof Cues | undefined;
const cues = (): typeof Cues => (loadedCues ??= require('./captions/cues.js'));
const chime = (): typeof Chime => require('./dressing/chime.js');
const dressings = (): typeof CheckDressing => require('./dressing/check-dressing.js');
let loadedRender: typeof Render | undefined;
const rendering = (): typeof Render => (loadedRender ??= require('./rendering/render.js'));

/**
 * Renders pieces of speech as one file. Resolves when the first piece is there. Bounded memory: pulls a piece when the
 * reader pulls a part, and repeats from a temporary file. Returns the iterator of `pieces` at the end.
 * @throws AudioError if a piece is not a complete WAV or MP3 file
 */
export async function render<P extends Piece>(
  pieces: AsyncIterable<P>,
  options: RenderOptions<P> = {},
): Promise<Rendering<P>> {
  return rendering().renderFile(pieces, options);
}

/**
 * Renders each piece as a complete file. The chime and the silence before the speech are in the first file, each gap in the file
 * before it, the silence after the speech in the last file. Otherwise as `render`.
 * @throws AudioError if a piece is not a complete WAV or MP3 file
 */
export async function renderEach<P extends Piece>(
  pieces: AsyncIterable<P>,
  options: RenderOptions<P> = {},
): Promise<SeparateRendering<P>> {
  return rendering().renderFiles(pieces, options);
}

/**
 * Checks a dressing before any speech is requested. Missing fields get the values of `noDressing`.
 * @throws OptionError for a number outside `dressingRanges`, and for a chime as `checkChime` does
 */
export function checkDressing(dressing: Partial<Record<keyof Dressing, unknown>>): Dressing {
  return dressings().checkedDressing(dressing);
}

/**
 * Checks a chime before any speech is requested.
 * @param value the name of a built-in chime, or a complete WAV or MP3 file
 * @throws OptionError for an unknown name, for bytes without audio, and for a file of more than 30 seconds
 */
export function checkChime(value: unknown): ChimeName | Uint8Array {
  return chime().checkedChime(value);
}

/** Creates the cues of spoken texts. Each text starts a new cue. */
export function cuesOf(captions: Iterable<Caption>): Cues.Cue[] {
  return cues().captionCues(captions);
}
