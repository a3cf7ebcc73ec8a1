/**
 * The reason why bytes are not usable as audio:
 * - `not-audio`: neither WAV nor MP3, for example an HTML page;
 * - `incomplete`: starts as audio, but is truncated, damaged or without samples;
 * - `mismatch`: complete pieces that one file cannot contain together;
 * - `unsupported`: valid audio of an unsupported kind.
 */
export type AudioErrorKind = 'not-audio' | 'incomplete' | 'mismatch' | 'unsupported';

/** The error that all audio functions throw. `message` never contains audio bytes. */
export class AudioError extends Error {
  override readonly name = 'AudioError';

  constructor(
    readonly kind: AudioErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
