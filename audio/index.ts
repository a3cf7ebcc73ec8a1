/** Formats, announcements, loudness and captions for pieces of speech. Loads a codec when a rendering needs it. */
export { checkDressing, dressingRanges } from './dressing/check-dressing.js';
export { checkChime } from './dressing/chime.js';
export { chimes, type ChimeName, type Dressing, noDressing } from './dressing/dressing.js';
export { type OutputFormat, sampleRates } from './format/format.js';
export { parseFormat } from './format/parse-format.js';
export { formatPresets, type PresetId } from './format/presets.js';
export { messages } from './messages.js';
export { OptionError } from './option-error.js';
export { render, renderEach } from './render.js';
export type { AudioType, Part, Piece, Rendering, RenderOptions, SeparateRendering } from './rendering.js';
