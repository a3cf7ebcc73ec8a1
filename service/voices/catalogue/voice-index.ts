import type { Voice } from '@herald-speech/client/interface';
import type { EngineVoice } from '../engines/engine.js';
import { describeVoice } from './preset-voice.js';

/** A voice of an engine, with the id of that engine. */
export type CatalogueVoice = EngineVoice & { engine: string };

/** Maximum number of removed voices whose page tokens stay valid. */
const MAX_REMOVED = 1000;

/** The voices at one time, with their places. */
export class VoiceIndex {
  readonly voices: readonly CatalogueVoice[];
  readonly #byId: ReadonlyMap<string, CatalogueVoice>;
  readonly #places: ReadonlyMap<string, number>;
  /** Places of removed voices: each has the place of the nearest voice before it, so that a page token stays valid. */
  readonly #removed: ReadonlyMap<string, number>;
  #described: readonly Voice[] | undefined;

  /** @param former the index before this one */
  constructor(voices: readonly CatalogueVoice[], former?: VoiceIndex) {
    this.voices = voices;
    this.#byId = new Map(voices.map((voice) => [voice.id, voice]));
    this.#places = new Map(voices.map(({ id }, index) => [id, index + 1]));
    this.#removed = former === undefined ? new Map() : this.#removedSince(former);
  }

  /** All voices for replies, without samples. */
  get described(): readonly Voice[] {
    return (this.#described ??= this.voices.map(describeVoice));
  }

  get(id: string): CatalogueVoice | undefined {
    return this.#byId.get(id);
  }

  /** Returns the place of a voice, from 1. Returns undefined for a voice that never existed. */
  placeOf(id: string): number | undefined {
    return this.#places.get(id) ?? this.#removed.get(id);
  }

  #removedSince(former: VoiceIndex): Map<string, number> {
    const moved = this.#newPlaces(former.voices);
    const all = [...former.#removed, ...former.#places].filter(([id]) => !this.#places.has(id));
    return new Map(all.slice(-MAX_REMOVED).map(([id, place]) => [id, moved[place] ?? 0]));
  }

  /** Returns for each former place the present place of the voice there, or of the nearest voice before it. */
  #newPlaces(former: readonly CatalogueVoice[]): number[] {
    let last = 0;
    return [0, ...former.map(({ id }) => (last = this.#places.get(id) ?? last))];
  }
}
