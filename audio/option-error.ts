import { type Text, text } from '@herald-speech/client/interface';

/** An invalid audio setting, such as an unknown format. Nodes report it before they request speech. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  /** The message with its key and values, for a translation: the field, its value and the rule. */
  readonly text: Text;

  /**
   * @param field the name of the setting, such as `format`
   * @param value the given value; the message shows its beginning
   * @param rule the expected values
   */
  constructor(
    readonly field: string,
    value: unknown,
    readonly rule: Text,
  ) {
    const message = text('invalid', { field, value: shown(value), rule });
    super(message.english);
    this.text = message;
  }
}

const MAX_LENGTH = 40;

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return `a Buffer of ${value.length} bytes`;
  const json = JSON.stringify(value) ?? String(value);
  return json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}…` : json;
}
