import { abridged } from '@herald-speech/client/interface';

/** The id of a natural voice: its name, and for a voice with several speakers also the speaker. */
const NATURAL = /^(?<name>[a-z]{2,3}_[A-Z]{2}-\w+-(?:x_low|low|medium|high))(?:-[\w-]+)?$/;

/**
 * Returns the message for an unknown voice. It explains how to install a natural voice.
 * @param field name of the field with the voice
 */
export function unknownVoice(id: string, field = 'voice_id'): string {
  const name = NATURAL.exec(id)?.groups?.['name'];
  if (name === undefined) {
    return `${field} ${abridged(id)}: unknown voice. List the voices and use one of their identifiers`;
  }
  const install = `"herald-service voices install ${name.slice(0, MAX_NAME)}" with the same --data as the service`;
  const command = `Run ${install}, or use another voice`;
  return `${field} ${abridged(id)}: this natural voice is not installed. ${command}`;
}

/** UTF-16 code units of a name in a message. */
const MAX_NAME = 100;
