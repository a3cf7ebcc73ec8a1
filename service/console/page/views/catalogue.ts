/** Loads custom voices and preset voices. */
import { fieldsOf, listOf, textOf, type Voice, voiceOf } from '@herald-speech/browser';
import type { Api } from '../lib/api.js';

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
  const isFirst = ({ isNatural, isLive }: Voice) => isNatural && isLive;
  return [
    ...presets.filter((voice) => isFirst(voice)),
    ...customVoices.map((voice) => ({ ...voice, own: true })),
    ...presets.filter((voice) => !isFirst(voice)),
  ];
}

async function loadPages(api: Api, path: string): Promise<Voice[]> {
  const items: unknown[] = [];
  let token = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({
      page_size: String(PAGE_SIZE),
      ...(token && { next_page_token: token }),
    });
    const reply = fieldsOf(await api.json('GET', `${path}?${query}`));
    items.push(...listOf(reply['items']));
    token = textOf(reply['next_page_token']);
    if (token === '') break;
  }
  return items.map(voiceOf);
}
