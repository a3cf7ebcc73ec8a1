import type { InstalledVoice } from '../../../installed/installed-voice.js';
import type { VoiceConfig } from '../../../installed/voice-config.js';
import { nearestSound, SOUNDS } from './nearest-sound.js';

/** Phonemes of one sound that eSpeak's phonemes consist of after their decomposition, with the sound. */
const DECOMPOSED = { 'c\u0327': 'ç' };

/** Returns a voice in whose config each symbol that the model never learned has the ids of the nearest symbol that it learned. */
export function learnedVoice(voice: InstalledVoice, untrained: readonly number[]): InstalledVoice {
  return untrained.length === 0 || voice.config.phonemeType !== 'espeak'
    ? voice
    : { ...voice, config: learnedConfig(voice.config, new Set(untrained)) };
}

/** A symbol without a near one has no ids, so it is left out, like a symbol that the map lacks. */
function learnedConfig(config: VoiceConfig, untrained: ReadonlySet<number>): VoiceConfig {
  const { phonemeIds, clusters } = config;
  const learned = new Map([...phonemeIds].filter(([, ids]) => !ids.some((id) => untrained.has(id))));
  const idsOf = (symbol: string) =>
    learned.get(symbol) ?? learned.get(nearestSound(symbol, learned) ?? '') ?? [];
  const symbols = new Set([...phonemeIds.keys(), ...SOUNDS.keys()]);
  const lost = Object.entries(DECOMPOSED).filter(([parts]) =>
    Array.from(parts).some((part) => !learned.has(part)),
  );
  return {
    ...config,
    phonemeIds: new Map([
      ...[...symbols].map((symbol): [string, readonly number[]] => [symbol, idsOf(symbol)]),
      ...lost.map(([parts, sound]): [string, readonly number[]] => [parts, idsOf(sound)]),
    ]),
    clusters: [...clusters, ...lost.map(([parts]) => parts)],
  };
}
