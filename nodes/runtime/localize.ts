/**
 * Translates texts to the language of Node-RED (its setting `lang`, or the language of the environment), or to the language
 * of the editor. Fields get the labels of the dialogs.
 */
import { messages as audioMessages } from '@herald-speech/audio';
import {
  type Decimal,
  decimalIn,
  type Languages,
  languageNames,
  messages as clientMessages,
  type SpeechError,
  type Text,
} from '@herald-speech/client';
import { dialogMessages, nodeMessages } from './messages.js';

/** Translates by a key of a message catalogue, such as the `RED` object of Node-RED. */
export interface Translator {
  _(id: string, options: Record<string, string | number>): string;
}

/** The build adds the translations to the catalogue of one node, because Node-RED has a catalogue per node. */
const CATALOGUE = '@herald-speech/node-red/herald-account';

const inDialogs: Readonly<Record<string, string>> = dialogMessages;
const english: Readonly<Record<string, string>> = {
  ...clientMessages,
  ...audioMessages,
  ...nodeMessages,
  ...inDialogs,
};

/** Returns a text in the language of the translator, or in English without a translation. */
export function localize(translator: Translator, text: Text): string {
  const values = localizeValues(translator, text.values);
  const translation = lookUp(translator, `runtime.${text.key}`);
  if (translation !== undefined) return fill(translation, /__(\w+?)__/g, values);
  const message = english[text.key];
  // A text without values may have more details in English than its message.
  if (message === undefined || (values.size === 0 && !(text.key in inDialogs))) return text.english;
  return fill(message, /\{(\w+)\}/g, values);
}

/** Inserts the values in one pass, so that a value with the form of a placeholder remains unchanged. */
const fill = (message: string, placeholders: RegExp, values: ReadonlyMap<string, string>): string =>
  message.replace(placeholders, (placeholder, name: string) => values.get(name) ?? placeholder);

/** Returns an entry of the catalogue, or undefined. Node-RED must not insert values: it would evaluate their content. */
function lookUp(translator: Translator, key: string): string | undefined {
  const id = `${CATALOGUE}:${key}`;
  const found: unknown = translator._(id, { skipInterpolation: 1, defaultValue: '' });
  return typeof found === 'string' && found !== '' && found !== id ? found : undefined;
}

function localizeValues(translator: Translator, values: Text['values']): ReadonlyMap<string, string> {
  const entries = Object.entries(values).map(([name, value]): [string, string] => {
    if (typeof value === 'object') return [name, localizeValue(translator, value)];
    if (typeof value === 'number') return [name, numberIn(value, translator)];
    if (name === 'field') return [name, labelled(translator, value)];
    return [name, name === 'label' ? labelOf(translator, value) : value];
  });
  return new Map(entries);
}

function localizeValue(translator: Translator, value: Text | Languages | Decimal): string {
  if ('decimal' in value) return decimalIn(value, localeOfTranslator(translator));
  if ('languages' in value) return languageNames(value, localeOfTranslator(translator));
  return localize(translator, value);
}

/** Writes a number with the decimal sign of the language. */
const numberIn = (value: number, translator: Translator): string =>
  Number.isInteger(value)
    ? String(value)
    : value.toLocaleString(localeOfTranslator(translator), { maximumFractionDigits: 6, useGrouping: false });

/** Returns the code of the translator's language, such as `de`. */
export const localeOfTranslator = (translator: Translator): string => localize(translator, LOCALE);

/** Each catalogue contains the code of its language. */
const LOCALE: Text = { key: 'locale', values: {}, english: clientMessages.locale };

/**
 * Returns the label of a field in the dialog: `Base URL` for an option of the account, `Voice (voice_id)` for a field that a
 * message can also set. A field without a label remains unchanged.
 */
function labelled(translator: Translator, field: string): string {
  const option = lookUp(translator, `options.${field}`);
  if (option !== undefined) return option;
  const label = labelOf(translator, field);
  return label === field ? field : `${label} (${field})`;
}

/** Returns only the label, such as `Voice`. */
function labelOf(translator: Translator, field: string): string {
  const names = field.replace(/^msg\./, '').split('.');
  const labels = [names.at(-1), names[0]].map((name) => name && lookUp(translator, `labels.${name}`));
  return labels.find((label) => label !== undefined) ?? field;
}

/** Returns an error with its message in the language of the translator. All other properties stay the same. */
export function localizeError(translator: Translator, error: SpeechError): SpeechError {
  return error.text === undefined ? error : error.with({ message: localize(translator, error.text) });
}
