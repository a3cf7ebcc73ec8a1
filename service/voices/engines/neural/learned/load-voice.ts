import type { InstalledVoice } from '../../../installed/installed-voice.js';
import type { Measurement } from '../../../installed/measurements.js';
import type { SentenceSpeaker } from '../neural-child.js';
import { learnedVoice } from './learned-voice.js';
import { untrainedIds } from './untrained.js';

/**
 * Loads the model of a voice with a sentence without sounds.
 * @returns the voice with the symbols that its model learned, and the symbols that it did not
 */
export async function loadVoice(
  speaker: Pick<SentenceSpeaker, 'speak'>,
  installed: InstalledVoice,
  signal: AbortSignal,
): Promise<Pick<Measurement, 'untrained'> & { voice: InstalledVoice }> {
  const { model, config } = installed;
  const { phonemeIds, noiseScale, lengthScale, noiseW, sampleRate, speakers } = config;
  const { symbols } = await speaker.speak(
    {
      model,
      ids: ['^', '_', '$'].flatMap((symbol) => phonemeIds.get(symbol) ?? []),
      scales: [noiseScale, lengthScale, noiseW],
      speaker: speakers[0]?.id ?? null,
      sampleRate,
      urgency: 'start',
    },
    signal,
  );
  const untrained = symbols === null ? [] : untrainedIds(symbols, config);
  return { voice: learnedVoice(installed, untrained), untrained };
}
