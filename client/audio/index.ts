/** Audio files of the interface: recognizing, checking, joining and describing WAV and MP3. */
export { AudioError } from '../base/audio-error.js';
export { inspectAudio, joinAudio, parseAudio, type ParsedAudio, sniffAudio } from './join.js';
export { apeProof } from './ape-tag.js';
export { markFields, id3Mark, id3Proof, type Mark, type Proof, proofFields, wavMark } from './mark.js';
export { readMark, withMark, withoutMark } from './mark-in-file.js';
export { type Frame as Mp3Frame, readFrame as readMp3Frame } from './mp3-frame.js';
export { type Gapless, infoFrame as mp3InfoFrame } from './mp3-info.js';
export type { Mp3 } from './mp3.js';
export { readFlac, readOpus, replaceComment } from './other-files.js';
export {
  AAC_SOUND,
  MARK_KEY_FILE,
  MarkSigner,
  MP3_SOUND,
  newMarkKey,
  proofFor,
  type SignedMark,
  Signing,
  wavSound,
} from './signature.js';
export { verifyAudio, type Verification } from './verify.js';
export { verifyApart } from './verify-apart.js';
export { type OtherChunks, parseWav, type Wav, wavHeader } from './wav.js';
export { blockAlign, type WavFormat } from './wav-format.js';
export {
  integratedLoudness,
  measureLoudness,
  startStepMeter,
  type StepMeter,
  stepLength,
  STEPS,
} from './loudness/integrated.js';
export { ceilingBelow, type PeakLimiter, startLimiter } from './loudness/limiter.js';
