import {
  type Client,
  type CustomVoice,
  lazy,
  operations,
  PAGE_SIZE,
  SpeechError,
  type Voice,
  z,
} from '@herald-speech/client';
import { hasOperation } from '../../account/operations.js';
import { normalizedFilters } from '../../lib/voice-filters.js';
import { endpoint } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';

/** Maximum number of pages per library and request. A page has 100 voices. */
const MAX_PAGES = 5;
/** Maximum number of samples per voice in the reply. */
const MAX_SAMPLES = 200;

const filters = lazy(() => operations.searchVoices.request.omit({ page_size: true, next_page_token: true }));

/** A voice for the picker. Omits the addresses of the samples, because only the runtime uses them. */
interface ListedVoice extends Omit<Partial<Voice>, 'samples'> {
  voice_id: string;
  own: boolean;
  samples: { language: string; style: string; model: string }[];
}

/**
 * Lists custom and preset voices that match the filters, custom voices first. With `voice_id`, returns that voice; an empty
 * `voice_id` means the default voice of `language`, or of the account without it.
 */
export const voices = endpoint({
  path: '/herald/voices',
  permission: 'herald.read',
  request: () =>
    target().extend({
      voice_id: z.string().max(200).optional(),
      language: operations.createSpeech.request.shape.language.optional(),
      filters: filters().default({}),
      library: z.enum(['all', 'preset', 'own']).default('all'),
    }),
  async run({ client, defaults, request, signal, translator }) {
    if (request.voice_id !== undefined) {
      const { language } = request;
      const id = request.voice_id || (await client.complete({ language }, defaults, { signal })).voice_id;
      const voice = await findVoice(client, id, signal);
      return { voices: voice === undefined ? [] : [voice], more: false };
    }
    const search = normalizedFilters(request.filters, translator);
    const [custom, preset] = await Promise.all([
      request.library === 'preset' || !hasCustomVoices(client)
        ? nothing
        : customVoices(client, search, signal),
      request.library === 'own' ? nothing : presetVoices(client, search, signal),
    ]);
    return { voices: [...custom.voices, ...preset.voices], more: custom.more || preset.more };
  },
});

interface Found {
  voices: ListedVoice[];
  /** True if the library has further matches. */
  more: boolean;
}

const nothing: Found = { voices: [], more: false };

/** Finds a voice in both libraries. Returns undefined if it does not exist. @throws SpeechError for any other failure */
async function findVoice(
  client: Client,
  voice_id: string,
  signal: AbortSignal,
): Promise<ListedVoice | undefined> {
  const preset = await unlessRefused(client.call(operations.getVoice, { voice_id }, { signal }));
  if (preset !== undefined) return listed(preset);
  if (!hasCustomVoices(client)) return undefined;
  const custom = await unlessRefused(client.call(operations.getCustomVoice, { voice_id }, { signal }));
  return custom && listedCustom(custom);
}

const hasCustomVoices = ({ features }: Client): boolean =>
  hasOperation(features, operations.searchCustomVoices);

/** Returns undefined if the service replies "not found" or "forbidden". */
async function unlessRefused<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    const refused = error instanceof SpeechError && ['not-found', 'forbidden'].includes(error.code);
    if (refused) return undefined;
    throw error;
  }
}

async function presetVoices(
  client: Client,
  search: z.output<ReturnType<typeof filters>>,
  signal: AbortSignal,
): Promise<Found> {
  const request = { ...search, page_size: PAGE_SIZE.max };
  const { items, more } = await bounded(client.pages(operations.searchVoices, request, { signal }));
  return { voices: items.map(listed), more };
}

/**
 * Lists custom voices. They have only a name and a description, so no custom voice matches any other filter, except a
 * language: a custom voice may speak any.
 */
async function customVoices(
  client: Client,
  { name, description, ...others }: z.output<ReturnType<typeof filters>>,
  signal: AbortSignal,
): Promise<Found> {
  const isFiltered = Object.entries(others).some(
    ([field, value]) => field !== 'language' && value !== undefined,
  );
  if (isFiltered) return nothing;
  const request = { name, description, page_size: PAGE_SIZE.max };
  const reading = bounded(client.pages(operations.searchCustomVoices, request, { signal }));
  const { items, more } = (await unlessRefused(reading)) ?? { items: [], more: false };
  return { voices: items.map(listedCustom), more };
}

async function bounded<Item>(
  pages: AsyncIterable<{ items: Item[]; next_page_token?: string | null | undefined }>,
): Promise<{ items: Item[]; more: boolean }> {
  const items: Item[] = [];
  let count = 0;
  for await (const page of pages) {
    items.push(...page.items);
    count += 1;
    if (count === MAX_PAGES) return { items, more: Boolean(page.next_page_token) };
  }
  return { items, more: false };
}

function listed({ samples, ...voice }: Voice): ListedVoice {
  const combinations = (samples ?? [])
    .slice(0, MAX_SAMPLES)
    .map(({ language, style, model }) => ({ language, style, model }));
  return { ...voice, own: false, samples: combinations };
}

const listedCustom = ({ voice_id, name, description }: CustomVoice): ListedVoice => ({
  voice_id,
  name,
  description,
  own: true,
  samples: [],
});
