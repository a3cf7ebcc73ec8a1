import { lazy } from '../base/lazy.js';
import type * as Schemas from './schemas.js';

/** Loads `schemas.js`, and zod with it, on the first call. */
export const schemas = lazy((): typeof Schemas => require('./schemas.js'));

/** A speech request with a text of any length, as `speak` and `predict` accept it. The schema is built on first use. */
export declare const speechRequest: typeof Schemas.longSpeech;
Object.defineProperty(module.exports, 'speechRequest', {
  enumerable: true,
  get: () => schemas().longSpeech,
});
