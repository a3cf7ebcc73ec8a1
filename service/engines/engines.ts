import type { EnginePlugin } from './engine.js';
import { flite } from './flite/flite.js';

/** Every engine of the service. Its voices become preset voices, in this order. */
export const engines: readonly EnginePlugin[] = [flite];
