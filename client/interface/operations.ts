import { accountOperations } from './account.js';
import { customVoiceOperations } from './custom-voices.js';
import { presetVoiceOperations } from './preset-voices.js';
import { speechOperations } from './speech.js';

export * from './account.js';
export * from './custom-voices.js';
export * from './preset-voices.js';
export * from './speech.js';

/** All operations of the interface. */
export const operations = {
  ...speechOperations,
  ...presetVoiceOperations,
  ...customVoiceOperations,
  ...accountOperations,
};

export type OperationName = keyof typeof operations;
