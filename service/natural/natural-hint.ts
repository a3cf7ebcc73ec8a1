import { ESPEAK_HINT, hasEspeak } from '../engines/espeak/packages.js';
import { hasNeural, NEURAL_HINT } from '../engines/neural/packages.js';

/** Returns the packages to install before natural voices can speak; undefined if they can speak. */
export function naturalHint(): string | undefined {
  const hints = [
    ...(hasNeural() ? [] : [NEURAL_HINT]),
    ...(hasEspeak() ? [] : [`Natural voices also need eSpeak NG for the pronunciation. ${ESPEAK_HINT}`]),
  ];
  return hints.length === 0 ? undefined : hints.join(' ');
}
