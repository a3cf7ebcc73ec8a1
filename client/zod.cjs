'use strict';

/** Loads zod when `z` is first read: zod takes longer to load than all other modules of the client together. */
Object.defineProperty(exports, 'z', { enumerable: true, get: () => require('zod').z });
