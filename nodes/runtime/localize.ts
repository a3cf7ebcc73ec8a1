/** Translates texts to the language of Node-RED: its setting `lang`, or the language of the environment. */
import type { SpeechError, Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';

/** Translates by a key of a message catalogue. */
export type Translator = Pick<NodeAPI, '_'>;

/** The build adds the translations to the catalogue of one node, because Node-RED has a catalogue per node. */
const CATALOGUE = '@herald-speech/node-red/herald-account';

/** Returns a text in the language of Node-RED, or in English without a translation. */
export function localize(translator: Translator, { key, values, english }: Text): string {
  const id = `${CATALOGUE}:runtime.${key}`;
  const translated: unknown = translator._(id, { ...localizeValues(translator, values), defaultValue: '' });
  return typeof translated === 'string' && translated !== '' && translated !== id ? translated : english;
}

function localizeValues(translator: Translator, values: Text['values']): Record<string, string | number> {
  const entries = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'object' ? localize(translator, value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Returns an error with its message in the language of Node-RED. All other properties stay the same. */
export function localizeError(translator: Translator, error: SpeechError): SpeechError {
  return error.text === undefined ? error : error.with({ message: localize(translator, error.text) });
}
