import type { Voice } from '@herald-speech/client/interface';
import type { EnginePlugin, EngineVoice } from '../engines/engine.js';
import type { Order } from '../paging.js';
import { presetVoice } from './preset-voice.js';
import { styleNames, type StyleName } from './styles.js';

/** A voice as a speech request uses it. */
export interface SpeakableVoice {
  voice_id: string;
  name: string;
  engine: string;
  /** The engine's own name of the voice. */
  engineVoice: string;
  /** File of the sample that the engine clones, where it does. */
  sample?: string;
  languages: readonly string[];
  /** The first is the default. */
  styles: readonly StyleName[];
  /** Semitones between the engine's voice and this one. */
  pitchShift: number;
  /** Liveliness of the melody relative to the engine's voice. */
  pitchVariance: number;
  /** Speed relative to the engine's voice. */
  rate: number;
}

/** The manner of a voice that is its engine's own. */
export const ownManner = { pitchShift: 0, pitchVariance: 1, rate: 1 } as const;

/** A voice of an engine, and which engine that is. */
export type CatalogueVoice = EngineVoice & { engine: string };

/** An engine that clones zero-shot. */
type Cloner = Required<Pick<EnginePlugin, 'id' | 'cloning'>>;

const PREFIX = 'voice:';

/** The preset voices: those of all engines, in the engines' order. */
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

  /** The voice of that id, as its engine describes it. */
  get(id: string): CatalogueVoice | undefined {
    return this.#byId.get(id);
  }

  /** The same as speech requests use it. */
  speakable(id: string): SpeakableVoice | undefined {
    const voice = this.get(id);
    if (voice === undefined) return undefined;
    const { name, engine, languages } = voice;
    return { voice_id: id, name, engine, engineVoice: id, languages, styles: styleNames, ...ownManner };
  }

  /** All of them as the interface shows them to a caller who reached the service at `origin`. */
  shown(origin: string): Voice[] {
    return this.voices.map((voice) => presetVoice(voice, origin));
  }

  /** Their natural order; its tokens are opaque (docs/interface.md#paging). */
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
   * The voice whose pitch is nearest on a musical scale: it has the least to be bent. A robot stands in for nobody,
   * unless there is nobody else for the language.
   * @param pitch in Hz
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

  /** The first engine that speaks with anybody's voice, in the language where one is asked for. */
  cloner(language?: string): Cloner | undefined {
    return this.#cloners.find(
      ({ cloning }) => language === undefined || cloning.languages.includes(language),
    );
  }
}

/** From one pitch to another, in Hz. */
export function semitones(from: number, to: number): number {
  return 12 * Math.log2(to / from);
}
