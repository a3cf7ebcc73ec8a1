import { defaultRepository } from '../catalogue/catalogue.js';
import { VoiceManager } from './manager.js';
import { naturalHint } from '../../../kit/packages.js';
import { openVoiceSource } from '../transfer/open-source.js';
import type { ReadOptions } from '../transfer/voice-source.js';
import { VoiceFolder } from '../install/voice-folder.js';

export interface NaturalVoicesOptions {
  /** Folder of the natural voices. */
  voices: string;
  /** Data folder of the service. */
  data: string;
  /** The voice repository or its mirror; '' for the public repository. */
  voicesUrl: string;
}

/** The manager of natural voices, with its folder and its source. */
export type NaturalVoiceAccess = ReturnType<typeof openNaturalVoices>;

/** Opens the folder and the catalogue of natural voices. It uses no network. */
export function openNaturalVoices({ voices, data, voicesUrl }: NaturalVoicesOptions) {
  const folder = new VoiceFolder(voices);
  const source = openVoiceSource(voicesUrl === '' ? defaultRepository : voicesUrl);
  return {
    folder,
    /** The package to install before natural voices can speak; undefined if they can speak. */
    get hint() {
      return naturalHint();
    },
    manager: new VoiceManager({ folder, data, source }),
    /** Reads a small file of the voice repository. @throws NaturalVoiceError */
    read: (path: string, options: ReadOptions) => source.read(path, options),
  };
}
