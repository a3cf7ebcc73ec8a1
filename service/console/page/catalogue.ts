/** Loads custom voices and preset voices. */
import type { Api } from './api.js';
import { fields, list, text, texts } from './read.js';
import type { Sample, Voice } from './voice.js';

/** Voices per page. */
const PAGE_SIZE = 100;
/** Maximum number of pages, so that a faulty service cannot cause an endless loop. */
const MAX_PAGES = 100;

/**
 * Loads all voices: natural voices, then custom voices, then the others. Natural voices that are too slow for live
 * announcements keep their place among the others.
 * @throws ApiError
 */
export async function loadVoices(api: Api): Promise<Voice[]> {
  const [customVoices, presets] = await Promise.all([
    loadPages(api, '/v1/custom-voices'),
    loadPages(api, '/v1/voices'),
  ]);
  const others = presets.map((item) => readVoice(item, false));
  const isFirst = ({ isNatural, isLive }: Voice) => isNatural && isLive;
  return [
    ...others.filter((voice) => isFirst(voice)),
    ...customVoices.map((item) => readVoice(item, true)),
    ...others.filter((voice) => !isFirst(voice)),
  ];
}

async function loadPages(api: Api, path: string): Promise<unknown[]> {
  const items: unknown[] = [];
  let token = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({
      page_size: String(PAGE_SIZE),
      ...(token && { next_page_token: token }),
    });
    const reply = fields(await api.json('GET', `${path}?${query}`));
    items.push(...list(reply['items']));
    token = text(reply['next_page_token']);
    if (token === '') break;
  }
  return items;
}

/** Reads a voice. A custom voice has only name and description (docs/interface.md#custom-voice). */
function readVoice(item: unknown, isCustom: boolean): Voice {
  const voice = fields(item);
  return {
    id: text(voice['voice_id']),
    name: text(voice['name']),
    description: text(voice['description']),
    isCustom,
    age: text(voice['age']),
    gender: text(voice['gender']),
    useCases: [...new Set([text(voice['use_case']), ...texts(voice['use_cases'])])].filter(
      (word) => word !== '',
    ),
    languages: texts(voice['language']),
    styles: texts(voice['styles']),
    models: texts(voice['models']),
    samples: list(voice['samples']).map(readSample),
    isNatural: voice['natural'] === true,
    isLive: voice['live'] !== false,
  };
}

function readSample(item: unknown): Sample {
  const { language, style, model, url } = fields(item);
  return { language: text(language), style: text(style), model: text(model), url: text(url) };
}
