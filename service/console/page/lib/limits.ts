/** Loads limits and models of the interface from the service. */
import { fieldsOf, numberOf, textOf, textsOf } from '@herald-speech/browser';
import type { Api } from './api.js';

export type Limits = Awaited<ReturnType<typeof loadLimits>>;

export async function loadLimits(api: Api) {
  const limits = fieldsOf(await api.json('GET', '/console/limits'));
  return {
    /** Maximum length of a text in UTF-16 code units. */
    text: number(limits['text']),
    /** Maximum length of a name in UTF-16 code units. */
    name: number(limits['name']),
    sampleBytes: number(limits['sampleBytes']),
    defaultModel: textOf(limits['defaultModel']),
    models: Object.keys(fieldsOf(limits['settingsOf'])),
    /** Returns default and range of a voice setting. */
    setting: (name: string) => {
      const range = fieldsOf(fieldsOf(limits['settings'])[name]);
      return { initial: number(range['default']), min: number(range['min']), max: number(range['max']) };
    },
    /** Returns whether a model supports a setting. An unknown model may support any setting. */
    supports: (model: string, setting: string) => {
      const known = fieldsOf(limits['settingsOf'])[model];
      return known === undefined || textsOf(known).includes(setting);
    },
  };
}

const number = (value: unknown): number => numberOf(value) ?? 0;
