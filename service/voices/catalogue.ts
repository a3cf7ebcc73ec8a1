import type { Voice } from '@herald-speech/client/interface';
import type { EnginePlugin, EngineVoice } from '../engines/engine.js';
import type { Order } from '../paging.js';
import { presetVoice } from './preset-voice.js';
import { styleNames, type StyleName } from './styles.js';

/** A preset or custom voice, with everything that a speech request needs. */
export interface SpeakableVoice {
  voice_id: string;
  name: string;
  engine: string;
  /** The engine's id of the voice. */
  engineVoice: string;
  /** Path of the sample, for an engine that clones voices. */
  sample?: string;
  /** True for a custom voice that another voice approximates. */
  approximate?: boolean;
  languages: readonly string[];
  /** The first one is the default. */
  styles: readonly StyleName[];
  /** Semitones between the engine's voice and this one. */
  pitchShift: number;
  /** Pitch range relative to the engine's voice. */
  pitchVariance: number;
  /** Speed relative to the engine's voice. */
  rate: number;
}

/** The prosody of a voice that equals its engine's voice. */
export const unchangedProsody = { pitchShift: 0, pitchVariance: 1, rate: 1 } as const;

/** A voice of an engine, with the id of that engine. */
export type CatalogueVoice = EngineVoice & { engine: string };

/** An engine that clones a voice from a sample. */
type Cloner = Required<Pick<EnginePlugin, 'id' | 'cloning'>>;

const PREFIX = 'voice:';

/** The preset voices of all engines, in the order of the engines. */
export class Catalogue {
  readonly voices: readonly CatalogueVoice[];
  readonly #byId: ReadonlyMap<string, CatalogueVoice>;
  readonly #places: ReadonlyMap<string, number>;
  readonly #cloners: readonly Cloner[];

  constructor(engines: readonly EnginePlugin[]) {
    this.voices = engines.flatMap(({ id: engine, voices }) => voices.map((voice) => ({ ...voice, engine })));
    this.#byId = new Map(this.voices.map((voice) => [voice.id, voice]));
    this.#places = new Map(this.voices.map(({ id }, index) => [id, index + 1]));
    this.#cloners = engines.flatMap(({ id, cloning }) => (cloning === undefined ? [] : [{ id, cloning }]));
  }

  /** Returns the engine's description of a voice. */
  get(id: string): CatalogueVoice | undefined {
    return this.#byId.get(id);
  }

  /** Returns the default voice of a language: the first one in the list that speaks it. Undefined if none does. */
  defaultVoice(language: string): CatalogueVoice | undefined {
    return this.voices.find(({ languages }) => languages.includes(language));
  }

  /** Returns a voice for speech requests. */
  speakable(id: string): SpeakableVoice | undefined {
    const voice = this.get(id);
    if (voice === undefined) return undefined;
    const { name, engine, languages } = voice;
    return {
      voice_id: id,
      name,
      engine,
      engineVoice: id,
      languages,
      styles: styleNames,
      ...unchangedProsody,
    };
  }

  /** Returns all voices for a reply (docs/interface.md#voice). `origin` is the address at which the caller reached the service. */
  shown(origin: string): Voice[] {
    return this.voices.map((voice) => presetVoice(voice, origin));
  }

  /** The natural order of the voices, with opaque page tokens (docs/interface.md#paging). */
  get order(): Order<Voice> {
    return {
      place: ({ voice_id }) => this.#places.get(voice_id) ?? 0,
      write: ({ voice_id }) => Buffer.from(PREFIX + voice_id).toString('base64url'),
      read: (token) => {
        const text = Buffer.from(token, 'base64url').toString();
        return text.startsWith(PREFIX) ? this.#places.get(text.slice(PREFIX.length)) : undefined;
      },
    };
  }

  /**
   * Returns the voice that needs the smallest pitch shift. Prefers natural voices: a synthetic voice is the last resort for a
   * language.
   * @param pitch hertz
   */
  nearest(pitch: number, language?: string): CatalogueVoice | undefined {
    const speaking = this.voices.filter(
      ({ languages }) => language === undefined || languages.includes(language),
    );
    const natural = speaking.filter(({ isNatural }) => isNatural);
    const [nearest] = (natural.length > 0 ? natural : speaking).toSorted(
      (a, b) => Math.abs(semitones(a.pitch, pitch)) - Math.abs(semitones(b.pitch, pitch)),
    );
    return nearest;
  }

  /** Returns the first engine that clones voices and, if given, supports the language. */
  cloner(language?: string): Cloner | undefined {
    return this.#cloners.find(
      ({ cloning }) => language === undefined || cloning.languages.includes(language),
    );
  }
}

/** Returns the interval between two pitches in semitones. The pitches are in hertz. */
export function semitones(from: number, to: number): number {
  return 12 * Math.log2(to / from);
}
