import { MAX_SECONDS, MAX_TEXT, type Mark, type Utterance, type UtteranceRequest } from './messages.js';
import { variantFiles } from './variants.js';

/** Of a UTF-16 unit: three bytes of UTF-8, or five as an entity. */
const MAX_BYTES_PER_UNIT = 5;
/** Percent: room below full scale, so that eSpeak need not limit the loudest languages. */
const VOLUME = 60;
const BOUNDARIES = ['word', 'sentence', 'end'];

export type Synthesize = (request: UtteranceRequest) => Utterance;

/**
 * Loads eSpeak NG. Only eSpeak's own process may call this: the package is GPL-3 (docs/decisions/0016).
 * @returns speaks one sentence and blocks meanwhile; throws for an unknown voice
 */
export async function loadSynthesizer(): Promise<Synthesize> {
  const { default: load } = await import('@echogarden/espeak-ng-emscripten');
  const module = await load();
  for (const [path, content] of variantFiles) module.FS.writeFile(path, content);
  const espeak = new module.eSpeakNGWorker();
  const text = { ptr: module._malloc(MAX_TEXT * MAX_BYTES_PER_UNIT + 1) };
  // The first call makes the bindings allocate what they keep; it has to be part of the memory that is saved.
  espeak.set_voice('en');
  const reset = savedMemory(() => module.HEAPU8);
  return (request) => {
    reset();
    if (espeak.set_voice(request.voice) !== 0) throw new Error(`eSpeak has no voice ${request.voice}`);
    espeak.set_rate(request.rate);
    espeak.set_pitch(request.pitch);
    espeak.set_range(request.range);
    espeak.set_volume(VOLUME);
    module.HEAPU8.set(Buffer.from(`${withoutMarkup(request.text)}\0`), text.ptr);
    return collect(espeak.get_samplerate(), (onAudio) => espeak.synthesize(text, onAudio));
  };
}

/**
 * eSpeak carries noise, echo and voice settings on from one utterance to the next. With its memory set back to how it
 * was after loading, a sentence sounds the same whatever was said before.
 */
function savedMemory(memory: () => Uint8Array): () => void {
  const saved = memory().slice(0, memory().findLastIndex((byte) => byte !== 0) + 1);
  return () => memory().set(saved);
}

/** eSpeak reads its text as SSML; it knows these two entities, and `>` alone means nothing. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

interface AudioEvent {
  type: string;
  audio_position: number;
  id?: string | number;
}
type OnAudio = (audio: Int16Array, events: AudioEvent[]) => boolean;

function collect(sampleRate: number, speak: (onAudio: OnAudio) => void): Utterance {
  const pieces: Int16Array[] = [];
  const marks: Mark[] = [];
  let length = 0;
  speak((audio, events) => {
    pieces.push(audio);
    length += audio.length;
    marks.push(...events.flatMap(toMark));
    return length > MAX_SECONDS * sampleRate;
  });
  if (length > MAX_SECONDS * sampleRate)
    throw new Error(`eSpeak was not done after ${MAX_SECONDS} s of audio`);
  const samples = new Int16Array(length);
  let offset = 0;
  for (const piece of pieces) {
    samples.set(piece, offset);
    offset += piece.length;
  }
  return { kind: 'spoken', samples, sampleRate, marks };
}

function toMark({ type, audio_position: milliseconds, id }: AudioEvent): Mark[] {
  const at = milliseconds / 1000;
  if (type === 'phoneme') return [{ at, symbol: String(id ?? '') }];
  return BOUNDARIES.includes(type) ? [{ at, symbol: null }] : [];
}
