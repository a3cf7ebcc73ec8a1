/** Audio files of the interface: recognizing, checking, joining and describing WAV and MP3. */
export { AudioError } from './audio-error.js';
export { inspectAudio, joinAudio, parseAudio, type ParsedAudio, sniffAudio } from './join.js';
export { markFields, id3Mark, type Mark, wavMark } from './mark.js';
export { readMark, withMark, withoutMark } from './mark-in-file.js';
export { type Frame as Mp3Frame, readFrame as readMp3Frame } from './mp3-frame.js';
export { type Gapless, infoFrame as mp3InfoFrame } from './mp3-info.js';
export type { Mp3 } from './mp3.js';
export { type OtherChunks, parseWav, type Wav, wavHeader } from './wav.js';
export { blockAlign, type WavFormat } from './wav-format.js';
