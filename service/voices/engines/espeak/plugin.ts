import type { EnginePlugin } from '../engine.js';
import type * as espeak from './espeak.js';
import type * as children from './espeak-child.js';
import { hasEspeak, readsKanji, type Resolve } from '../../../kit/packages.js';
import { espeakVoices } from './voices.js';

/**
 * Returns eSpeak NG for 31 languages if its optional package is installed; otherwise `ESPEAK_HINT` explains how to add it.
 * @param resolve Finds a package or throws. It loads nothing.
 */
export function findEspeak(resolve: Resolve = require.resolve): EnginePlugin | undefined {
  if (!hasEspeak(resolve)) return undefined;
  return {
    id: 'espeak',
    voices: espeakVoices,
    prepare: () => Promise.resolve(),
    start: () => {
      // Loaded here, because only a worker that uses eSpeak needs it and its dependencies.
      const { startEspeak }: typeof espeak = require('./espeak.js');
      const { sharedEspeak }: typeof children = require('./espeak-child.js');
      return Promise.resolve(startEspeak({ child: sharedEspeak(), readsKanji: readsKanji(resolve) }));
    },
  };
}
