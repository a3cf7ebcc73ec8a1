/** Fills in messages in English, with keys for translations. */
import { type Decimal, decimalIn, type Languages, languageNames } from './language-values.js';
import type { AudioError } from './audio-error.js';
import { messages } from './message-table.js';

/** A value in a message. A text is translated together with the message. */
type MessageValue = string | number | Text | Languages | Decimal;

/** A message in English, with its key and its values for a translation. */
export interface Text {
  key: string;
  values: Readonly<Record<string, MessageValue>>;
  english: string;
}

type Placeholders<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The values of a message: one for each placeholder. */
type Values<Message> = [Placeholders<Message>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Message>, MessageValue>>];

/** Fills in a message of a table. */
export type Say<Table> = <Key extends keyof Table & string>(key: Key, ...values: Values<Table[Key]>) => Text;

/** Returns a function that fills in the messages of a table. */
export const textsOf =
  <const Table extends Readonly<Record<string, string>>>(table: Table): Say<Table> =>
  (key, ...[values]) =>
    textOf(key, table[key] ?? key, values);

const textOf = (key: string, message: string, values?: Text['values']): Text =>
  values === undefined
    ? { key, values: {}, english: message }
    : { key, values, english: fill(message, values) };

function fill(message: string, values: Text['values']): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name] ?? placeholder;
    if (typeof value !== 'object') return String(value);
    if ('decimal' in value) return decimalIn(value, messages.locale);
    return 'languages' in value ? languageNames(value, messages.locale) : value.english;
  });
}

/** Returns the message of an error as a value of another message. */
export const messageOf = ({ text, message }: { text: Text | undefined; message: string }): Text | string =>
  text ?? message;

/** Fills in a message of the client. */
export const text: Say<typeof messages> = textsOf(messages);

/** Returns the problem of an audio file: its details in English, its kind in other languages. */
export const audioProblem = ({ kind, message }: AudioError): Text => ({
  ...text(`audio-${kind}`),
  english: message,
});
