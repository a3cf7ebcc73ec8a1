import { defaultRepository } from '../catalogue/catalogue.js';
import type { NaturalVoices } from './management.js';
import { VoiceManager } from './manager.js';
import { naturalHint } from '../../../kit/packages.js';
import { openVoiceSource } from '../transfer/open-source.js';
import { VoiceFolder } from '../install/voice-folder.js';

export interface NaturalVoicesOptions {
  /** Folder of the natural voices. */
  voices: string;
  /** Data folder of the service. */
  data: string;
  /** The voice repository or its mirror; '' for the public repository. */
  voicesUrl: string;
}

/** Opens the folder and the catalogue of natural voices. It uses no network. */
export function openNaturalVoices({ voices, data, voicesUrl }: NaturalVoicesOptions): NaturalVoices {
  const source = openVoiceSource(voicesUrl === '' ? defaultRepository : voicesUrl);
  return {
    folder: voices,
    get hint() {
      return naturalHint();
    },
    manager: new VoiceManager({ folder: new VoiceFolder(voices), data, source }),
    read: (path, options) => source.read(path, options),
  };
}
