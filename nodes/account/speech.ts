import {
  createBreaker,
  localReading,
  type SpeakingAccount,
  type SpeechDefaults,
} from '@herald-speech/client';

/** Returns the local service without an account, for speech. */
export const localSpeaker = (
  { connect }: Pick<SpeakingAccount, 'connect'>,
  defaults: SpeechDefaults = {},
): SpeakingAccount => ({
  id: 'local',
  name: 'local',
  defaults,
  breaker: createBreaker(),
  connect,
  // The local service has no fallback, so no time limit applies.
  patience: () => Infinity,
  pronunciations: () => [],
  readings: () => [localReading],
  fallback: () => undefined,
});
