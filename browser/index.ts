/** Browser code that the editor and the console share. */
export * from './dom.js';
export * from './import-box.js';
export * from './job-line.js';
export * from './languages.js';
export * from './native-box.js';
export * from './natural-voice.js';
export * from './player.js';
export * from './recorder.js';
export * from './trial-texts.js';
export * from './values.js';
export * from './voice.js';
export * from './voice-search.js';
export * from './voice-words.js';
