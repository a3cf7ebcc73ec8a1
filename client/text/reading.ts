import { type TextPart, toElement } from './say-as.js';

/** How an account prepares the parts of a text for its service. */
export interface Reading {
  /**
   * Whether a part with a way to say it reaches the voice in this way. Otherwise a text with such parts gets a warning.
   */
  readonly saysAs: boolean;
  /** Whether figures of any part become words. The text of the captions then differs from the sent text. */
  readonly writesFigures: boolean;
  /** Returns the sent text. @param language Two-letter code, or a tag with a region. */
  sent(parts: readonly TextPart[], language: string): string;
}

/** The reading of a service that reads figures for itself and knows no way to say a part. */
export const plainReading: Reading = {
  saysAs: false,
  writesFigures: false,
  sent: (parts) => parts.map(({ text }) => text).join(''),
};

/** The reading of a text whose words the caller has written: `normalized_text`. */
export const ownReading: Reading = { ...plainReading, saysAs: true };

/** The reading of the local service, which knows the ways to say a part. */
export const localReading: Reading = {
  saysAs: true,
  writesFigures: false,
  sent: (parts) => parts.map(toElement).join(''),
};

/**
 * Returns the text of a part in words.
 * @param language Two-letter code, or a tag with a region.
 * @param before the part before, as written
 */
export type WriteFigures = (part: TextPart, language: string, before: string) => string;

/** Returns the reading of an account that writes figures as words. */
export const figuresReading = (write: WriteFigures): Reading => ({
  saysAs: true,
  writesFigures: true,
  sent: (parts, language) =>
    parts.map((part, index) => write(part, language, parts[index - 1]?.text ?? '')).join(''),
});
