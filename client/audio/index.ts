/** Audio files of the interface: recognizing, checking, joining and describing WAV and MP3. */
export { AudioError } from './audio-error.js';
export { inspectAudio, joinAudio, sniffAudio } from './join.js';
export { readFrame as readMp3Frame } from './mp3-frame.js';
export { infoFrame as mp3InfoFrame } from './mp3-info.js';
export { parseWav, wavHeader } from './wav.js';
export type { WavFormat } from './wav-format.js';
