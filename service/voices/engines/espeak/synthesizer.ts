import {
  MAX_REQUEST_SECONDS,
  MAX_TEXT,
  type EspeakMark,
  type PhonemesRequest,
  type EspeakUtterance,
  type UtteranceRequest,
} from './messages.js';
import { variantFiles } from './variants.js';

/** Bytes of a UTF-16 code unit: three in UTF-8, or five as an entity. */
const MAX_BYTES_PER_UNIT = 5;
/** Percent. A lower volume than 100 keeps eSpeak from limiting the loudest languages. */
const VOLUME = 60;
const BOUNDARIES = ['word', 'sentence', 'end'];

/** The functions block, and throw for an unknown voice. */
export interface Synthesizer {
  /** Speaks one sentence. */
  synthesize(request: UtteranceRequest): EspeakUtterance;
  /** Returns the phonemes of each text, in the form of the reply `phonemes`. */
  phonemesOf(request: PhonemesRequest): string[];
}

/** Loads eSpeak NG. Only eSpeak's process may call this, because the package is GPL-3 (docs/decisions/0016). */
export async function loadSynthesizer(): Promise<Synthesizer> {
  const { default: load } = await import('@echogarden/espeak-ng-emscripten');
  const module = await load();
  for (const [path, content] of variantFiles) module.FS.writeFile(path, content);
  const espeak = new module.eSpeakNGWorker();
  const text = { ptr: module._malloc(MAX_TEXT * MAX_BYTES_PER_UNIT + 1) };
  // The bindings allocate memory in the first call. It must be part of the saved memory.
  espeak.set_voice('en');
  const reset = savedMemory(() => module.HEAPU8);
  const setVoice = (name: string) => {
    reset();
    if (espeak.set_voice(name) !== 0) throw new Error(`voice "${name}": unknown to eSpeak`);
  };
  const setText = (content: string) => module.HEAPU8.set(Buffer.from(`${content}\0`), text.ptr);
  return {
    synthesize(request) {
      setVoice(request.voice);
      espeak.set_rate(request.rate);
      espeak.set_pitch(request.pitch);
      espeak.set_range(request.range);
      espeak.set_volume(VOLUME);
      setText(withoutMarkup(request.text));
      return collect(espeak.get_samplerate(), (onAudio) => espeak.synthesize(text, onAudio));
    },
    phonemesOf({ voice, texts }) {
      reset();
      if (espeak.set_voice(voice) !== 0) setVoice(voiceOfLanguage(espeak.list_voices(), voice));
      return texts.map((content) => {
        setText(content);
        const { ptr } = espeak.convert_to_phonemes(text, true);
        return stringAt(module.HEAPU8, ptr);
      });
    },
  };
}

interface VoiceFile {
  identifier: string;
  languages: { name: string; priority: number }[];
}

/**
 * Returns the name of the voice for a language code such as `en-gb`, or else for its base language. `set_voice` knows the codes
 * that are names of files only.
 */
function voiceOfLanguage(voices: readonly VoiceFile[], code: string): string {
  const find = (language: string | undefined) =>
    voices
      .flatMap(({ identifier, languages }) => languages.map((known) => ({ identifier, ...known })))
      .filter(({ name }) => name === language)
      .toSorted((one, other) => one.priority - other.priority)[0]?.identifier;
  const wanted = code.toLowerCase();
  return find(wanted) ?? find(wanted.split(/[-_]/)[0]) ?? code;
}

/** Reads a C string in UTF-8. */
function stringAt(memory: Uint8Array, start: number): string {
  return Buffer.from(memory.subarray(start, memory.indexOf(0, start))).toString();
}

/**
 * Saves eSpeak's memory and returns a function that restores it. eSpeak keeps noise, echo and voice settings between
 * sentences; with restored memory, a sentence does not depend on earlier ones.
 */
function savedMemory(memory: () => Uint8Array): () => void {
  const saved = memory().slice(0, usedLength(memory()));
  return () => memory().set(saved);
}

/** Bytes up to the last non-zero byte, rounded up to a word. A loop over words takes 8 ms, `findLastIndex` 130 ms. */
function usedLength({ buffer }: Uint8Array): number {
  const words = new Uint32Array(buffer);
  let length = words.length;
  while (words[length - 1] === 0) length--;
  return length * words.BYTES_PER_ELEMENT;
}

/** Escapes a text, because eSpeak reads it as SSML. eSpeak knows these two entities, and a single `>` has no meaning. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

interface AudioEvent {
  type: string;
  audio_position: number;
  id?: string | number;
}
type OnAudio = (audio: Int16Array, events: AudioEvent[]) => boolean;

function collect(sampleRate: number, speak: (onAudio: OnAudio) => void): EspeakUtterance {
  const pieces: Int16Array[] = [];
  const marks: EspeakMark[] = [];
  let length = 0;
  speak((audio, events) => {
    pieces.push(audio);
    length += audio.length;
    marks.push(...events.flatMap(toMark));
    return length > MAX_REQUEST_SECONDS * sampleRate;
  });
  if (length > MAX_REQUEST_SECONDS * sampleRate)
    throw new Error(`eSpeak exceeded ${MAX_REQUEST_SECONDS} s of audio for one sentence`);
  const samples = new Int16Array(length);
  let offset = 0;
  for (const piece of pieces) {
    samples.set(piece, offset);
    offset += piece.length;
  }
  return { kind: 'spoken', samples, sampleRate, marks };
}

function toMark({ type, audio_position: milliseconds, id }: AudioEvent): EspeakMark[] {
  const at = milliseconds / 1000;
  if (type === 'phoneme') return [{ at, symbol: String(id ?? '') }];
  return BOUNDARIES.includes(type) ? [{ at, symbol: null }] : [];
}
