/** Cuts texts at the ends of sentences. Loads no HTTP client. */
export { isSpeakable } from './characters.js';
export { type Chunk, type ChunkOptions, chunkText, cutText } from './chunk.js';
export { foreignLanguage } from './foreign-language.js';
export { cutQuickStart } from './quick-start.js';
export { cutGrowingText, type GrowingText } from './growing-text.js';
export { emojiPattern, KEYCAP, plainText } from './plain-text.js';
export { type SayAs, sayAsElements, sayAsParts, type TextPart } from './say-as.js';
export { cutSentences } from './sentence-cuts.js';
