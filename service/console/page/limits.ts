/** What the interface allows, as the service tells it. */
import type { Api } from './api.js';
import { fields, number, text, texts } from './read.js';

export type Limits = Awaited<ReturnType<typeof loadLimits>>;

export async function loadLimits(api: Api) {
  const told = fields(await api.json('GET', '/console/limits'));
  return {
    /** Characters of a text, as UTF-16 units. */
    text: number(told['text']),
    name: number(told['name']),
    sampleBytes: number(told['sampleBytes']),
    defaultModel: text(told['defaultModel']),
    models: Object.keys(fields(told['settingsOf'])),
    /** Default and range of a voice setting. */
    setting: (name: string) => {
      const range = fields(fields(told['settings'])[name]);
      return { usual: number(range['default']), min: number(range['min']), max: number(range['max']) };
    },
    /** Whether a model follows a setting; one that is not known may. */
    follows: (model: string, setting: string) => {
      const known = fields(told['settingsOf'])[model];
      return known === undefined || texts(known).includes(setting);
    },
  };
}
