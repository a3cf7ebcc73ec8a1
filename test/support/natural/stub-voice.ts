import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Graph, onnxModel } from './onnx.js';
import { addFault, damage, type Fault } from './stub-faults.js';
import { stubGraph } from './stub-graph.js';

/*
 * Stub voices: models with the inputs and outputs of Piper voices. They speak each phoneme id as a tone, so that a test can
 * read the ids from the audio (`idsHeardIn`).
 */

export interface StubVoice {
  /** LANGUAGE_REGION-NAME-QUALITY, such as `de_DE-stub-medium`. */
  name: string;
  /** Hertz. */
  sampleRate?: number;
  /** Names of the speakers, if the voice has several. */
  speakers?: readonly string[];
  /** Adds the second output `durations`: frames of each id. */
  withDurations?: boolean;
  /** A decoder as in Piper voices, which Herald runs in windows or cannot cut off. None by default. */
  decoder?: 'none' | 'windows' | 'whole';
  /** Whether the model has the operation that tells Herald the frames of each id. True by default. */
  withCeil?: boolean;
  /** Samples of a frame. */
  hopLength?: number;
  /** Name of the voice in eSpeak. */
  espeakVoice?: string;
  phonemeType?: 'espeak' | 'text';
  /** Symbols and ids; the map of Piper voices by default. */
  phonemeIds?: Readonly<Record<string, readonly number[]>>;
  /** Symbols without a tone beside the pad, as the marks of a real voice. None by default. */
  silent?: string;
  licence?: string;
  /** Layers of convolutions: `REALISTIC_LAYERS` take about as long as a Piper voice of quality medium. */
  layers?: number;
  /** Bytes of weights in the file and in memory. A Piper voice of quality medium has 63 MB. */
  weightBytes?: number;
  /** Dimensions of the audio, 4 by default. */
  rank?: 1 | 2 | 3 | 4;
  /** Symbols that the model never learned. Without it, the model has no vectors of symbols. */
  untrained?: readonly string[];
  fault?: Fault;
}

/** About 6 GFLOP for a second of audio. */
export const REALISTIC_LAYERS = 19;

/** The symbols of a Piper voice in the order of their ids. */
const SYMBOLS = [
  ...Array.from(
    "_^$ !'(),-.:;?abcdefhijklmnopqrstuvwxyzæçðøħŋœǀǁǂǃɐɑɒɓɔɕɖɗɘəɚɛɜɞɟɠɡɢɣɤɥɦɧɨɪɫɬɭɮɯɰɱɲɳɴɵɶɸɹɺɻɽɾʀʁʂʃʄʈʉʊʋʌʍʎʏʐʑʒʔʕʘ",
  ),
  ...Array.from('ʙʛʜʝʟʡʢʲˈˌːˑ˞βθχᵻⱱ0123456789'),
  '\u0327',
  '\u0303',
  '\u032A',
  '\u032F',
  '\u0329',
  'ʰ',
  'ˤ',
  'ε',
  '↓',
  '#',
  '"',
  '↑',
];

export const PHONEME_IDS: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  SYMBOLS.map((symbol, id) => [symbol, [id]]),
);

const LOWEST = 300;
const STEP = 1.0205;
const PAD = 0;
const SILENCE_SECONDS = 0.003;
const SHORTEST_SECONDS = 0.005;

/** Hertz of an id. */
const pitchOf = (id: number, speaker = 0): number => LOWEST * STEP ** id * speakerFactor(speaker);

const speakerFactor = (speaker: number) => 1 / (1 + 0.1 * speaker);

/** Seconds of an id at length scale 1, before the model rounds them up to frames. */
const secondsOf = (id: number) => (id === PAD ? 0.012 : 0.03 + ((id * 7) % 5) * 0.008);

/** Frames of an id for a length scale. */
export const framesOf = (id: number, lengthScale = 1, sampleRate = 22_050, hopLength = 256): number =>
  Math.ceil(Math.fround(Math.fround(baseFrames(id, sampleRate, hopLength)) * Math.fround(lengthScale)));

const baseFrames = (id: number, sampleRate: number, hopLength: number) =>
  Math.ceil((secondsOf(id) * sampleRate) / hopLength);

/**
 * Writes NAME.onnx, NAME.onnx.json and MODEL_CARD to a folder, which is created if it is missing.
 * @returns the path of NAME.onnx
 */
export async function writeStubVoice(folder: string, voice: StubVoice): Promise<string> {
  await mkdir(folder, { recursive: true });
  const model = path.join(folder, `${voice.name}.onnx`);
  await writeFile(model, modelOf(voice));
  await writeFile(`${model}.json`, `${JSON.stringify(configOf(voice), undefined, 2)}\n`);
  await writeFile(path.join(folder, 'MODEL_CARD'), cardOf(voice));
  return model;
}

/** Returns the bytes of NAME.onnx. */
export function modelOf(voice: StubVoice): Buffer {
  const { fault } = voice;
  const graph = addFault(graphOf(voice), fault);
  return damage(onnxModel(graph, fault === 'opset' ? 99 : 15), fault);
}

function graphOf(voice: StubVoice): Graph {
  const { sampleRate = 22_050, hopLength = 256, speakers = [''], rank = 4, silent = '' } = voice;
  const pauses = Array.from(`_${silent}`).flatMap(
    (symbol) => (voice.phonemeIds ?? PHONEME_IDS)[symbol] ?? [],
  );
  const ids = Array.from({ length: symbolsOf(voice) }, (_, id) => id);
  return stubGraph({
    sampleRate,
    hopLength,
    speakers: speakers.length,
    frames: ids.map((id) => baseFrames(id, sampleRate, hopLength)),
    pitches: ids.map((id) => (pauses.includes(id) ? 0 : pitchOf(id))),
    speakerFactors: speakers.map((_, speaker) => speakerFactor(speaker)),
    withDurations: voice.withDurations ?? false,
    withCeil: voice.withCeil ?? true,
    decoder: voice.decoder ?? 'none',
    layers: voice.layers ?? 0,
    weightBytes: voice.weightBytes ?? 0,
    outputShape: [1n, 1n, 1n, -1n].slice(-rank),
    symbols: voice.untrained === undefined ? [] : lengthsOf(ids, voice.untrained),
  });
}

/** Lengths as in real voices: about 1 for trained symbols, about 0.4 for others and for 40 rows without a symbol. */
function lengthsOf(ids: readonly number[], untrained: readonly string[]): number[] {
  const never = new Set(untrained.flatMap((symbol) => PHONEME_IDS[symbol] ?? []));
  const short = (id: number) => 0.36 + (id % 7) * 0.01;
  const trained = ids.map((id) => (never.has(id) ? short(id) : 0.6 + (id % 5) * 0.2));
  return [...trained, ...Array.from({ length: 40 }, (_, row) => short(row))];
}

const symbolsOf = ({ phonemeIds = PHONEME_IDS }: StubVoice) =>
  Math.max(...Object.values(phonemeIds).flat()) + 1;

/** Returns the contents of NAME.onnx.json. */
export function configOf(voice: StubVoice) {
  const [code = '', dataset = '', quality = ''] = voice.name.split('-');
  const [family = '', region = ''] = code.split('_');
  const { speakers = [] } = voice;
  return {
    audio: { sample_rate: voice.sampleRate ?? 22_050, quality },
    espeak: { voice: voice.espeakVoice ?? (family === 'en' ? 'en-us' : family) },
    inference: { noise_scale: 0.667, length_scale: 1, noise_w: 0.8 },
    phoneme_type: voice.phonemeType ?? 'espeak',
    phoneme_map: {},
    phoneme_id_map: voice.phonemeIds ?? PHONEME_IDS,
    num_symbols: symbolsOf(voice),
    num_speakers: Math.max(1, speakers.length),
    speaker_id_map: Object.fromEntries(speakers.map((name, id) => [name, id])),
    language: { code, family, region },
    dataset,
    hop_length: voice.hopLength ?? 256,
  };
}

const cardOf = ({ name, sampleRate = 22_050, speakers = [''], licence = 'CC0' }: StubVoice) =>
  `# Model card for ${name}

* Language: ${name.split('-')[0]}
* Speakers: ${speakers.length}
* Samplerate: ${sampleRate} Hz

## Dataset

* URL: https://example.org/
* License: ${licence}
`;

/**
 * Returns the ids of the tones in audio of stub voices, without the pads, which are silent.
 * @param sampleRate hertz of the audio, which may differ from the voice's
 * @param speaker number of the speaker; `factor` is a further factor of the hertz, such as a pitch shift
 */
export function idsHeardIn(
  samples: Float32Array | Int16Array,
  sampleRate: number,
  { speaker = 0, factor = 1 }: { speaker?: number; factor?: number } = {},
): number[] {
  const lowest = pitchOf(0, speaker) * factor;
  return tonesIn(samples, sampleRate).map(([from, to]) => {
    const pitch = frequencyOf(samples.subarray(from, to)) * sampleRate;
    return Math.round(Math.log(pitch / lowest) / Math.log(STEP));
  });
}

/** Returns start and end of each tone, in samples. */
export function tonesIn(samples: Float32Array | Int16Array, sampleRate: number): [number, number][] {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const threshold = peak * 0.05;
  const tones: [number, number][] = [];
  samples.forEach((sample, place) => {
    if (Math.abs(sample) <= threshold) return;
    const last = tones.at(-1);
    if (last !== undefined && place - last[1] < SILENCE_SECONDS * sampleRate) last[1] = place + 1;
    else tones.push([place, place + 1]);
  });
  return tones.filter(([from, to]) => to - from >= SHORTEST_SECONDS * sampleRate);
}

/** Returns the cycles per sample, measured between the first and the last rise through zero. */
function frequencyOf(tone: Float32Array | Int16Array): number {
  const rises: number[] = [];
  for (let place = 1; place < tone.length; place++) {
    const [before = 0, after = 0] = tone.subarray(place - 1, place + 1);
    if (before < 0 && after >= 0) rises.push(place - after / (after - before));
  }
  return (rises.length - 1) / ((rises.at(-1) ?? 0) - (rises[0] ?? 0));
}
