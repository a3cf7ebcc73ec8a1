import { statSync } from 'node:fs';
import { attributionOf } from '../../installed/attribution.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { compareQualities } from '../../installed/quality.js';
import { InstalledVoices } from '../../installed/installed-voices.js';
import type { VoiceSpeaker } from '../../installed/voice-config.js';
import type { EngineVoice } from '../engine.js';
import { hasEspeak } from '../../../kit/packages.js';
import { learnedVoice } from './learned/learned-voice.js';
import { isLive, type Measurement, measurementOf } from '../../installed/measurements.js';
import type { NaturalFolders } from '../../installed/folders.js';

/** An installed voice with one of its speakers. */
export interface SpeakerVoice {
  installed: InstalledVoice;
  /** Id of the speaker, null for a voice with one speaker. */
  speaker: number | null;
  measurement: Measurement | undefined;
}

/** The natural voices on this machine, as the engine describes them. */
export class NeuralVoices {
  readonly #folder: InstalledVoices;
  readonly #measurements: string;
  #installed: readonly InstalledVoice[] | undefined;
  #measured: number | undefined;
  #voices: readonly EngineVoice[] = [];
  #byId: ReadonlyMap<string, SpeakerVoice> = new Map();

  constructor({ folder, measurements }: NaturalFolders) {
    this.#folder = new InstalledVoices(folder);
    this.#measurements = measurements;
  }

  /** Returns the same array until a voice or a measurement changes. */
  list(): readonly EngineVoice[] {
    const installed = this.#folder.list();
    const measured = statSync(this.#measurements, { throwIfNoEntry: false })?.mtimeMs;
    if (installed === this.#installed && measured === this.#measured) return this.#voices;
    this.#installed = installed;
    this.#measured = measured;
    const all = byUsefulness(installed.filter(isReadable)).flatMap((voice) =>
      speakersOf(voice, this.#measurements),
    );
    this.#byId = new Map(all);
    this.#voices = all.map(([id, voice]) => engineVoice(id, voice));
    return this.#voices;
  }

  get(id: string): SpeakerVoice | undefined {
    this.list();
    return this.#byId.get(id);
  }
}

/** Returns the ids of the voices that an installed voice adds: one, or one for each speaker. */
export function voiceIdsOf(installed: InstalledVoice): string[] {
  const { speakers } = installed.config;
  return speakers.length === 0 ? [plainId(installed.name)] : idsOfSpeakers(installed.name, speakers);
}

/** A voice whose phonemes come from eSpeak NG needs its package. */
function isReadable({ config }: InstalledVoice): boolean {
  return config.phonemeType !== 'espeak' || hasEspeak();
}

/** The first voice of a language is its default. */
function byUsefulness(voices: readonly InstalledVoice[]): InstalledVoice[] {
  return voices.toSorted(
    (a, b) =>
      compareQualities(a.record.quality, b.record.quality) ||
      Math.sign(a.config.speakers.length) - Math.sign(b.config.speakers.length),
  );
}

function speakersOf(installed: InstalledVoice, folder: string): Array<[id: string, voice: SpeakerVoice]> {
  const measurement = measurementOf(folder, installed);
  const learned = learnedVoice(installed, measurement?.untrained ?? []);
  return voiceIdsOf(installed).map((id, place) => [
    id,
    { installed: learned, speaker: installed.config.speakers[place]?.id ?? null, measurement },
  ]);
}

/** Speakers whose names differ only in signs get their number as well. */
function idsOfSpeakers(name: string, speakers: readonly VoiceSpeaker[]): string[] {
  const used = new Set<string>();
  return speakers.map((speaker) => {
    const id = plainId(`${name}-${speaker.name}`);
    const unique = used.has(id) ? `${id}-${speaker.id}` : id;
    used.add(unique);
    return unique;
  });
}

/** Returns a name as a `voice_id`: letters without accents, digits, `-` and `_`. */
function plainId(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]/gu, '_');
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
/** Typical pitch in hertz of a voice that was not measured. */
const PITCH: Readonly<Record<string, number>> = { male: 115, female: 200 };
const UNKNOWN_PITCH = 160;

function engineVoice(id: string, { installed, speaker, measurement }: SpeakerVoice): EngineVoice {
  const { record, config } = installed;
  const gender = record.gender ?? 'neutral';
  const named = config.speakers.find((one) => one.id === speaker);
  return {
    id,
    name: named === undefined ? record.title : `${record.title} (${named.name})`,
    description: descriptionOf(installed),
    age: 'young-adult',
    gender,
    useCases: ['announcement', 'narration', 'education'],
    languages: [record.language],
    ...localeOf(record),
    attribution: attributionOf(installed),
    pitch: measurement?.pitch ?? PITCH[gender] ?? UNKNOWN_PITCH,
    // The pitch of other speakers is unknown, so they cannot approximate a custom voice.
    isNatural: speaker === null && typeof measurement?.pitch === 'number',
    quality: record.quality,
    sampleRate: config.sampleRate,
    licence: record.licence,
    isNonCommercial: record.isNonCommercial,
    ...(measurement && { realTimeFactor: measurement.realTimeFactor, isLive: isLive(measurement) }),
  };
}

/** An imported voice may have no region. */
function localeOf({ language, region }: InstalledVoice['record']): Pick<EngineVoice, 'locale'> {
  return /^[A-Z]{2}$/.test(region) ? { locale: `${language}-${region}` } : {};
}

function descriptionOf({ record }: InstalledVoice): string {
  const { language, quality, licence } = record;
  const { locale: tag = language } = localeOf(record);
  // eSpeak has no dictionary of Arabic words with their vowels.
  const vowels = language === 'ar' ? ' It guesses vowels that are not written.' : '';
  const terms = licence === null ? 'unknown licence' : `licence ${licence}`;
  return `A natural voice for ${languageNames.of(tag) ?? tag}: quality ${quality}, ${terms}.${vowels}`;
}
