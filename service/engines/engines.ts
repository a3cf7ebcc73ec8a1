import type { EnginePlugin } from './engine.js';
import { ESPEAK_HINT, findEspeak } from './espeak/espeak.js';
import { flite } from './flite/flite.js';

const espeak = findEspeak();

/** Every engine that is installed. Their voices become preset voices, in this order. */
export const engines: readonly EnginePlugin[] = espeak === undefined ? [flite] : [flite, espeak];

/** How to add the languages that no installed engine speaks; undefined where there are none. */
export const engineHint: string | undefined = espeak === undefined ? ESPEAK_HINT : undefined;
