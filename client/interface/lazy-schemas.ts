import { lazy } from '../base/lazy.js';
import type * as Schemas from './schemas.js';

/** Loads `schemas.js`, and zod with it, on the first call. */
export const schemas = lazy((): typeof Schemas => require('./schemas.js'));
