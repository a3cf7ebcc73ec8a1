import { describeIssues } from '@herald-speech/client/interface';
import { z } from 'zod';
import { NaturalVoiceError } from './errors.js';

/** Maximum bytes of a config. The configs of the public repository have up to 20 kB. */
export const MAX_CONFIG_BYTES = 4_000_000;

/** The checked file NAME.onnx.json of a natural voice. */
export interface VoiceConfig {
  /** Hertz. */
  sampleRate: number;
  /** Voice of eSpeak NG for the phonemes. May be '' if `phonemeType` is `text`. */
  espeakVoice: string;
  phonemeType: PhonemeType;
  noiseScale: number;
  /** Inverse of the speed. */
  lengthScale: number;
  noiseW: number;
  /** The ids of each phoneme, each from 0 to `symbols` - 1. Contains `^` (start), `_` (pad) and `$` (end). */
  phonemeIds: ReadonlyMap<string, readonly number[]>;
  /** Sequences of phonemes with ids of their own, such as `aɪ`. */
  clusters: readonly string[];
  symbols: number;
  /** The speakers in the order of their ids, the default speaker first. Empty if the voice has one speaker. */
  speakers: VoiceSpeaker[];
  /** Samples for each frame of the model's durations. */
  hopLength: number;
}

export interface VoiceSpeaker {
  name: string;
  id: number;
}

const phonemeTypes = ['espeak', 'text'] as const;
type PhonemeType = (typeof phonemeTypes)[number];

const [MIN_RATE, MAX_RATE] = [8000, 48_000];
const RATE = `expected an integer from ${MIN_RATE} to ${MAX_RATE} hertz`;
const TYPE = `expected one of ${phonemeTypes.join(', ')}. Herald cannot speak with this voice`;
/** What Herald lacks for other types of phonemes. */
const LACKS: Readonly<Record<string, string>> = {
  pinyin: 'the readings of Chinese characters',
  hebrew: 'the vowels of Hebrew words',
  japanese: 'the readings and the pitch accents of Japanese words',
  thai: 'the readings of Thai words',
};
const MAP = 'expected the ids of each phoneme, such as {"_": [0], "^": [1], "$": [2], "a": [14]}';
const MAX_SYMBOLS = 10_000;
const MAX_SPEAKERS = 10_000;

const scale = (normal: number) => z.number().min(0).max(10).default(normal);
const id = z.int().min(0);
const cluster = z.array(z.string().min(1)).min(2).max(10);
const rate = z.int(RATE).min(MIN_RATE, RATE).max(MAX_RATE, RATE);

/** The fields that Herald uses, with the defaults of the reference implementation. */
const configFile = z.object({
  audio: z.object({ sample_rate: rate }),
  espeak: z.object({ voice: z.string().max(100) }).default({ voice: '' }),
  inference: z
    .object({
      noise_scale: scale(0.667),
      length_scale: z.number().min(0.05).max(10).default(1),
      noise_w: scale(0.8),
    })
    .prefault({}),
  phoneme_type: z.preprocess(plainType, z.enum(phonemeTypes, { error: typeProblem })).default('espeak'),
  phoneme_id_map: z.record(z.string(), z.array(id).min(1).max(100), MAP),
  num_symbols: z.int().min(1).max(MAX_SYMBOLS).optional(),
  num_speakers: z.int().min(1).max(MAX_SPEAKERS).default(1),
  speaker_id_map: z.record(z.string(), id).default({}),
  default_speaker_id: id.default(0),
  vowel_clusters: z.array(cluster).max(1000).nullish(),
  hop_length: z.int().min(1).max(4096).default(256),
});

/** An early version of the training program wrote `PhonemeType.ESPEAK`. */
function plainType(type: unknown): unknown {
  return typeof type === 'string' ? type.replace(/^PhonemeType\./, '').toLowerCase() : type;
}

function typeProblem({ input }: { input: unknown }): string {
  const lack = typeof input === 'string' && Object.hasOwn(LACKS, input) ? LACKS[input] : undefined;
  return lack === undefined ? TYPE : `the voice needs ${lack}, which Herald does not have; ${TYPE}`;
}

type ConfigFile = z.output<typeof configFile>;

/** Parses the text of NAME.onnx.json. @throws NaturalVoiceError `invalid` */
export function parseConfig(text: string, voice: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(voice, 'not JSON');
  }
}

/**
 * Checks the parsed content of NAME.onnx.json.
 * @param voice the name of the voice, for messages
 * @throws NaturalVoiceError `invalid` with the field and the rule
 */
export function readConfig(json: unknown, voice = 'the voice'): VoiceConfig {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw invalid(voice, 'no JSON object');
  const parsed = configFile.safeParse(json);
  if (!parsed.success) throw invalid(voice, describeIssues(parsed.error.issues, json));
  const problem = mapProblem(parsed.data) ?? clusterProblem(parsed.data) ?? speakerProblem(parsed.data);
  if (problem !== undefined) throw invalid(voice, problem);
  const { audio, espeak, inference, phoneme_type, phoneme_id_map, hop_length } = parsed.data;
  return {
    sampleRate: audio.sample_rate,
    espeakVoice: espeak.voice,
    phonemeType: phoneme_type,
    noiseScale: inference.noise_scale,
    lengthScale: inference.length_scale,
    noiseW: inference.noise_w,
    phonemeIds: new Map(Object.entries(phoneme_id_map)),
    clusters: clustersOf(parsed.data),
    symbols: symbolsOf(parsed.data),
    speakers: speakersOf(parsed.data),
    hopLength: hop_length,
  };
}

function invalid(voice: string, problem: string): NaturalVoiceError {
  const fix = 'The file NAME.onnx.json is not a config that Herald supports: install another voice';
  return new NaturalVoiceError('invalid', `config of ${voice}: ${problem}. ${fix}`);
}

const symbolsOf = ({ num_symbols, phoneme_id_map }: ConfigFile): number =>
  num_symbols ??
  1 +
    Object.values(phoneme_id_map)
      .flat()
      .reduce((max, id) => Math.max(max, id), 0);

function mapProblem(config: ConfigFile): string | undefined {
  const { phoneme_id_map: map, phoneme_type, espeak } = config;
  if (phoneme_type === 'espeak' && espeak.voice === '')
    return 'espeak.voice is missing: expected a voice of eSpeak NG';
  const missing = ['_', '^', '$'].filter((phoneme) => !Object.hasOwn(map, phoneme));
  if (missing.length > 0) return `phoneme_id_map: the phoneme "${missing.join('", "')}" is missing`;
  const symbols = symbolsOf(config);
  const wrong = Object.entries(map).find(([, ids]) => ids.some((id) => id >= symbols));
  if (wrong === undefined) return undefined;
  return `phoneme_id_map["${wrong[0]}"] ${JSON.stringify(wrong[1])}: expected ids from 0 to num_symbols - 1 = ${symbols - 1}`;
}

const clustersOf = ({ vowel_clusters }: ConfigFile): string[] =>
  (vowel_clusters ?? []).map((phonemes) => phonemes.join(''));

function clusterProblem(config: ConfigFile): string | undefined {
  const missing = clustersOf(config).find((cluster) => !Object.hasOwn(config.phoneme_id_map, cluster));
  return missing && `vowel_clusters: phoneme_id_map has no ids for "${missing}"`;
}

function speakerProblem({
  num_speakers,
  speaker_id_map,
  default_speaker_id,
}: ConfigFile): string | undefined {
  if (default_speaker_id >= num_speakers)
    return `default_speaker_id ${default_speaker_id}: expected an id from 0 to num_speakers - 1 = ${num_speakers - 1}`;
  const wrong = Object.entries(speaker_id_map).find(([, id]) => id >= num_speakers);
  if (num_speakers === 1 || wrong === undefined) return undefined;
  return `speaker_id_map["${wrong[0]}"] ${wrong[1]}: expected an id from 0 to num_speakers - 1 = ${num_speakers - 1}`;
}

/** Returns the default speaker and then the others by id. A config without names of its speakers gets their numbers as names. */
function speakersOf({ num_speakers, speaker_id_map, default_speaker_id }: ConfigFile): VoiceSpeaker[] {
  if (num_speakers === 1) return [];
  const named = Object.entries(speaker_id_map).map(([name, id]) => ({ name, id }));
  const all =
    named.length > 0 ? named : Array.from({ length: num_speakers }, (_, id) => ({ name: String(id), id }));
  const place = ({ id }: VoiceSpeaker) => (id === default_speaker_id ? -1 : id);
  return all.toSorted((one, other) => place(one) - place(other));
}
