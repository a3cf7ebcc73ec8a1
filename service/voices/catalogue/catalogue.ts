import type { Voice } from '@herald-speech/client/interface';
import type { EnginePlugin, EngineVoice } from '../engines/engine.js';
import type { Order } from '../../kit/paging.js';
import { isNaturalVoice } from './preset-voice.js';
import { styleNames, type StyleName } from './styles.js';
import { type CatalogueVoice, VoiceIndex } from './voice-index.js';

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

export type { CatalogueVoice } from './voice-index.js';

/** An engine that clones a voice from a sample. */
type Cloner = Required<Pick<EnginePlugin, 'id' | 'cloning'>>;

const PREFIX = 'voice:';

/**
 * The preset voices of all engines: natural voices, then the other voices in the order of the engines, then natural voices
 * that are too slow for live announcements. An engine may replace its list of voices at any time.
 */
export class Catalogue {
  readonly #engines: readonly EnginePlugin[];
  readonly #cloners: readonly Cloner[];
  #lists: ReadonlyArray<readonly EngineVoice[]> = [];
  #index = new VoiceIndex([]);

  constructor(engines: readonly EnginePlugin[]) {
    this.#engines = engines;
    this.#cloners = engines.flatMap(({ id, cloning }) => (cloning === undefined ? [] : [{ id, cloning }]));
  }

  /** All voices in their order. The same array until an engine replaces its voices. */
  get voices(): readonly CatalogueVoice[] {
    return this.#current.voices;
  }

  /** All voices for replies, without samples. The same array until an engine replaces its voices. */
  get described(): readonly Voice[] {
    return this.#current.described;
  }

  get #current(): VoiceIndex {
    const lists = this.#engines.map(({ voices }) => voices);
    const isSame =
      lists.length === this.#lists.length && lists.every((list, place) => list === this.#lists[place]);
    if (!isSame) {
      this.#index = new VoiceIndex(this.#ordered(lists), this.#index);
      this.#lists = lists;
    }
    return this.#index;
  }

  #ordered(lists: ReadonlyArray<readonly EngineVoice[]>): CatalogueVoice[] {
    const voices = this.#engines.flatMap(({ id: engine }, place) =>
      (lists[place] ?? []).map((voice) => ({ ...voice, engine })),
    );
    return voices.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  /** Returns the engine's description of a voice. */
  get(id: string): CatalogueVoice | undefined {
    return this.#current.get(id);
  }

  /**
   * Returns the default voice of a language: the first one in the list that speaks it. Undefined if none does.
   * @param region selects the first equally natural voice with an accent of this region, if there is any
   */
  defaultVoice(language: string, region?: string): CatalogueVoice | undefined {
    const speaking = this.voices.filter(({ languages }) => languages.includes(language));
    const [first] = speaking;
    if (first === undefined || region === undefined) return first;
    const equal = speaking.filter((voice) => rankOf(voice) === rankOf(first));
    return equal.find(({ locale }) => locale === `${language}-${region}`) ?? first;
  }

  /**
   * Returns the simple voice that speaks in place of a natural voice: the first one of the language, if possible with the
   * same gender. Undefined if no simple voice speaks the language.
   */
  simpleVoice(language: string, gender: string): CatalogueVoice | undefined {
    const simple = this.voices.filter(
      (voice) => !isNaturalVoice(voice) && voice.languages.includes(language),
    );
    return simple.find((voice) => voice.gender === gender) ?? simple[0];
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

  /** The order of the voices, with opaque page tokens (docs/interface.md#paging). */
  get order(): Order<Voice> {
    const index = this.#current;
    return {
      place: ({ voice_id }) => index.placeOf(voice_id) ?? 0,
      write: ({ voice_id }) => Buffer.from(PREFIX + voice_id).toString('base64url'),
      read: (token) => {
        const text = Buffer.from(token, 'base64url').toString();
        return text.startsWith(PREFIX) ? index.placeOf(text.slice(PREFIX.length)) : undefined;
      },
    };
  }

  /**
   * Returns the simple voice that needs the smallest pitch shift, for a new custom voice. It is not an installed voice,
   * because a user can remove those.
   * @param pitch hertz
   */
  nearestSimple(pitch: number): CatalogueVoice | undefined {
    return nearestOf(
      this.voices.filter((voice) => !isNaturalVoice(voice)),
      pitch,
    );
  }

  /**
   * Returns the voice of a language that needs the smallest pitch shift. An installed natural voice has priority if it is fast
   * enough, and a synthetic voice is the last resort (docs/decisions/0079).
   * @param pitch hertz
   */
  nearest(pitch: number, language: string): CatalogueVoice | undefined {
    const speaking = this.voices.filter(({ languages }) => languages.includes(language));
    const usable = speaking.filter((voice) => !isNaturalVoice(voice) || isForApproximation(voice));
    const natural = usable.filter(isNaturalVoice);
    return nearestOf(natural.length > 0 ? natural : usable, pitch);
  }

  /** Returns the first engine that clones voices and, if given, supports the language. */
  cloner(language?: string): Cloner | undefined {
    return this.#cloners.find(
      ({ cloning }) => language === undefined || cloning.languages.includes(language),
    );
  }
}

/** Returns the place of a voice's group in the list. */
function rankOf(voice: EngineVoice): number {
  if (!isNaturalVoice(voice)) return 1;
  return voice.isLive === false ? 2 : 0;
}

/** Whether a natural voice was measured, so that its pitch is known, and is fast enough. */
function isForApproximation({ isNatural, isLive }: EngineVoice): boolean {
  return isNatural && isLive !== false;
}

function nearestOf(voices: readonly CatalogueVoice[], pitch: number): CatalogueVoice | undefined {
  const human = voices.filter(({ isNatural }) => isNatural);
  const [nearest] = (human.length > 0 ? human : voices).toSorted(
    (a, b) => Math.abs(semitones(a.pitch, pitch)) - Math.abs(semitones(b.pitch, pitch)),
  );
  return nearest;
}

/** Returns the interval between two pitches in semitones. The pitches are in hertz. */
export function semitones(from: number, to: number): number {
  return 12 * Math.log2(to / from);
}
