/** Loads limits and models of the interface from the service. */
import type { Api } from './api.js';
import { fields, number, text, texts } from './read.js';

export type Limits = Awaited<ReturnType<typeof loadLimits>>;

export async function loadLimits(api: Api) {
  const limits = fields(await api.json('GET', '/console/limits'));
  return {
    /** Maximum length of a text in UTF-16 code units. */
    text: number(limits['text']),
    /** Maximum length of a name in UTF-16 code units. */
    name: number(limits['name']),
    sampleBytes: number(limits['sampleBytes']),
    defaultModel: text(limits['defaultModel']),
    models: Object.keys(fields(limits['settingsOf'])),
    /** Returns default and range of a voice setting. */
    setting: (name: string) => {
      const range = fields(fields(limits['settings'])[name]);
      return { initial: number(range['default']), min: number(range['min']), max: number(range['max']) };
    },
    /** Returns whether a model supports a setting. An unknown model may support any setting. */
    supports: (model: string, setting: string) => {
      const known = fields(limits['settingsOf'])[model];
      return known === undefined || texts(known).includes(setting);
    },
  };
}
