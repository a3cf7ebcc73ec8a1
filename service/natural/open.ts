import type { NaturalVoices } from './management.js';

export interface NaturalVoicesOptions {
  /** Folder of the natural voices. */
  voices: string;
  /** Data folder of the service. */
  data: string;
  /** The voice repository or its mirror; '' for the public repository. */
  voicesUrl: string;
}

/** Opens the folder and the catalogue of natural voices. It uses no network. */
export function openNaturalVoices({ voices: folder }: NaturalVoicesOptions): NaturalVoices {
  return {
    folder,
    manager: {
      available: () => [],
      card: () => Promise.reject(new Error('no voices')),
      install: () => Promise.reject(new Error('no voices')),
      remove: () => Promise.reject(new Error('no voices')),
      refresh: () => Promise.resolve(),
    },
    read: () => Promise.reject(new Error('no voices')),
  };
}
