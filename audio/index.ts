/** Formats, announcements, loudness and captions for pieces of speech. Loads codecs with their first use. */
export { type Caption, captionOf, type SpokenPart, type SpokenPiece } from './captions/caption.js';
export { type Cue, cuesOf } from './captions/cues.js';
export { srt, webVtt } from './captions/files.js';
export { checkDressing } from './dressing/check-dressing.js';
export { checkChime } from './dressing/chime.js';
export { chimes, type ChimeName, type Dressing, dressingRanges, noDressing } from './dressing/dressing.js';
export { extensionOf } from './format/extension.js';
export { type OutputFormat, sampleRates } from './format/format.js';
export { parseFormat } from './format/parse-format.js';
export { formatPresets, type PresetId } from './format/presets.js';
export { audioMessages as messages } from './messages.js';
export { OptionError } from './option-error.js';
export { render, renderEach } from './rendering/render.js';
export type {
  AudioType,
  Part,
  Piece,
  Rendering,
  RenderOptions,
  SeparateRendering,
} from './rendering/rendering.js';
