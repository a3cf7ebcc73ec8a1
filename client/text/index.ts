/** Cuts texts at the ends of sentences. Loads no HTTP client. */
export { isSpeakable } from './characters.js';
export { type Chunk, type ChunkOptions, chunkText, cutText } from './chunk.js';
export { cutQuickStart } from './quick-start.js';
