import {
  type Client,
  operations,
  SpeechError,
  type SpeechDefaults,
  type VoiceChoice,
} from '@herald-speech/client';
import type { Turn } from '../../runtime/turn.js';

/**
 * Checks that a voice exists, and that it speaks the language. Free of charge.
 * @throws SpeechError `bad-request` or `not-found`, or the failure of a lookup
 */
export async function checkVoice(
  client: Client,
  choice: VoiceChoice,
  defaults: SpeechDefaults,
  options: Pick<Turn, 'signal'> & Partial<Pick<Turn, 'priority'>>,
): Promise<void> {
  const { voice_id, style, model } = await client.complete(choice, defaults, options);
  // The service described the voice, or a voice without description is usual there.
  if (choice.voice_id === undefined || style !== undefined || model !== undefined) return;
  try {
    await client.call(operations.getVoice, { voice_id }, options);
  } catch (preset) {
    if (!isUnknown(preset)) throw preset;
    try {
      await client.call(operations.getCustomVoice, { voice_id }, options);
    } catch (custom) {
      if (!isUnknown(custom) && !hasNoCustomVoices(custom)) throw custom;
      throw await client.unknownVoice(voice_id, options);
    }
  }
}

const isUnknown = (error: unknown): boolean => error instanceof SpeechError && error.code === 'not-found';

/** Some services have preset voices only. */
const hasNoCustomVoices = (error: unknown): boolean =>
  error instanceof SpeechError && error.code === 'not-supported';
