import {
  type Client,
  type CustomVoice,
  operations,
  PAGE_SIZE,
  SpeechError,
  type Voice,
  z,
} from '@herald-speech/client';
import { endpoint } from './endpoint.js';
import { targetFields } from './target.js';

/** Pages of one library that a request reads: with 100 voices each, more than anybody looks through. */
const MAX_PAGES = 5;
/** Samples of one voice that the editor is told of. */
const MAX_SAMPLES = 200;

const filters = operations.searchVoices.request.omit({ page_size: true, next_page_token: true });

/** A voice as the picker shows it. Where a sample is, only the runtime needs to know. */
interface ListedVoice extends Omit<Partial<Voice>, 'samples'> {
  voice_id: string;
  own: boolean;
  samples: { language: string; style: string; model: string }[];
}

/** Own and preset voices by filters, own ones first; with `voice_id` that one voice; `''` is the account's. */
export const voices = endpoint({
  path: '/herald/voices',
  permission: 'herald.read',
  request: z.object({
    ...targetFields,
    voice_id: z.string().max(200).optional(),
    filters: filters.default({}),
    library: z.enum(['all', 'preset', 'own']).default('all'),
  }),
  async run({ client, defaults, request, signal }) {
    if (request.voice_id !== undefined) {
      const id = request.voice_id || defaults.voice_id;
      const voice = id === undefined ? undefined : await findVoice(client, id, signal);
      return { voices: voice === undefined ? [] : [voice], more: false };
    }
    const [own, preset] = await Promise.all([
      request.library === 'preset' ? nothing : ownVoices(client, request.filters, signal),
      request.library === 'own' ? nothing : presetVoices(client, request.filters, signal),
    ]);
    return { voices: [...own.voices, ...preset.voices], more: own.more || preset.more };
  },
});

interface Found {
  voices: ListedVoice[];
  /** Whether there are more than these. */
  more: boolean;
}

const nothing: Found = { voices: [], more: false };

/** One voice by its identifier, whichever library it is in. @throws SpeechError for anything but "there is none" */
async function findVoice(
  client: Client,
  voice_id: string,
  signal: AbortSignal,
): Promise<ListedVoice | undefined> {
  const preset = await unlessRefused(client.call(operations.getVoice, { voice_id }, { signal }));
  if (preset !== undefined) return listed(preset);
  const own = await unlessRefused(client.call(operations.getCustomVoice, { voice_id }, { signal }));
  return own && listedOwn(own);
}

/** What the account may not see, or nobody has made, is not there. */
async function unlessRefused<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    const isNone = error instanceof SpeechError && ['not-found', 'forbidden'].includes(error.code);
    if (isNone) return undefined;
    throw error;
  }
}

async function presetVoices(
  client: Client,
  search: z.output<typeof filters>,
  signal: AbortSignal,
): Promise<Found> {
  const request = { ...search, page_size: PAGE_SIZE.max };
  const { items, more } = await bounded(client.pages(operations.searchVoices, request, { signal }));
  return { voices: items.map(listed), more };
}

/** Own voices have a name and a description alone: no other filter fits any of them. */
async function ownVoices(
  client: Client,
  { name, description, ...others }: z.output<typeof filters>,
  signal: AbortSignal,
): Promise<Found> {
  if (Object.values(others).some((value) => value !== undefined)) return nothing;
  const request = { name, description, page_size: PAGE_SIZE.max };
  const reading = bounded(client.pages(operations.searchCustomVoices, request, { signal }));
  const { items, more } = (await unlessRefused(reading)) ?? { items: [], more: false };
  return { voices: items.map(listedOwn), more };
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

const listedOwn = ({ voice_id, name, description }: CustomVoice): ListedVoice => ({
  voice_id,
  name,
  description,
  own: true,
  samples: [],
});
