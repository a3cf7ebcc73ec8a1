import { type CustomVoice, operations, SpeechError, type Voice, z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { defineNode, type Task } from './lib/define-node.js';
import { type Found, listItems, PAGES, pagesField } from './lib/pages.js';
import { normalizedFilters } from './lib/voice-filters.js';
import { say } from './runtime/messages.js';
import { choiceProperty, numberProperty, textProperty } from './lib/property.js';

const fields = () =>
  operations.searchVoices.request.extend({
    library: z.enum(['preset', 'own']).default('preset'),
    /** One voice in place of a search. */
    voice_id: operations.getVoice.request.shape.voice_id.optional(),
    /** Whether a voice must have any or all of the styles (docs/interface.md#voice-search). */
    style_match: z.enum(['any', 'all']).default('any'),
    pages: pagesField('one'),
    /** One message with all voices, or one message per voice. */
    output: z.enum(['array', 'each']).default('array'),
  });

/** Rejects filters of preset voices in a search of custom voices, which have no such properties. */
const request = () =>
  fields().superRefine((search, context) => {
    if (search.library === 'preset') return;
    const { searchVoices, searchCustomVoices } = operations;
    const known: object = searchCustomVoices.request.shape;
    for (const field of searchVoices.request.keyof().options) {
      const text = say('rule-own-filter');
      if (search[field] !== undefined && !Object.hasOwn(known, field))
        context.addIssue({ code: 'custom', path: [field], message: text.english, params: { text } });
    }
  });

type Search = Task<z.output<ReturnType<typeof request>>>;

/** Searches preset or custom voices by filters. */
export = defineNode({
  type: 'herald-voice-search',
  request,
  label: ['name', 'language', 'gender', 'style'],
  below: 'preview',
  properties: {
    language: textProperty('language'),
    gender: textProperty('venus-mars'),
    library: choiceProperty('book', ['preset', 'own'], { value: 'preset', more: true }),
    name: textProperty('tag', { more: true }),
    description: textProperty('align-left', { more: true }),
    age: textProperty('birthday-cake', { more: true }),
    use_case: textProperty('bullhorn', { more: true }),
    use_cases: textProperty('list', { more: true }),
    style: textProperty('smile-o', { more: true }),
    style_match: choiceProperty('check-square-o', ['any', 'all'], { value: 'any', section: 'expert' }),
    output: choiceProperty('sign-out', ['array', 'each'], { value: 'array', more: true }),
    model: textProperty('cube', { section: 'expert' }),
    page_size: numberProperty('files-o', { section: 'expert' }),
    next_page_token: textProperty('step-forward', { section: 'expert' }),
    // Not from the message: `msg.voice_id` of an earlier node is the voice that speaks.
    voice_id: textProperty('user-o', { section: 'expert', ofNode: true }),
    pages: choiceProperty('clone', PAGES, { value: 'one', section: 'expert' }),
  },
  async run(search) {
    const { items: voices, speech } = await find(search);
    const message = { ...search.message, speech };
    // Without a match, one message with an empty array leaves, because every incoming message must leave.
    if (search.request.output === 'array' || voices.length === 0) return { ...message, payload: voices };
    return voices.map((voice, index) => partOf(voices.length, voice, index, message));
  },
});

/** Reads one voice, or searches the chosen library. */
async function find({ request: given, ...task }: Search): Promise<Found<Voice | CustomVoice>> {
  if (given.voice_id !== undefined) return foundVoice(task, given.library, given.voice_id);
  const request = normalizedFilters(given, task.RED);
  const style = request.style_match === 'all' ? request.style?.replaceAll(',', ';') : request.style;
  const search = { ...task, request: { ...request, style } };
  if (request.library === 'own') return listItems<CustomVoice>(operations.searchCustomVoices, search);
  return listItems<Voice>(operations.searchVoices, search);
}

/** Returns the voice, or nothing if the service does not have it, like a search. */
async function foundVoice(
  { client, ...options }: Omit<Search, 'request'>,
  library: 'preset' | 'own',
  voice_id: string,
): Promise<Found<Voice | CustomVoice>> {
  const operation = library === 'own' ? operations.getCustomVoice : operations.getVoice;
  const items: (Voice | CustomVoice)[] = [];
  try {
    items.push(
      await client.call<typeof operations.getVoice | typeof operations.getCustomVoice>(
        operation,
        { voice_id },
        options,
      ),
    );
  } catch (error) {
    if (!(error instanceof SpeechError && error.code === 'not-found')) throw error;
  }
  return { items, speech: { total: items.length, next_page_token: undefined } };
}

/** Creates one message of a sequence, as a join node expects it. Keeps the parts of an outer sequence. */
function partOf(count: number, voice: Voice | CustomVoice, index: number, message: NodeMessage): NodeMessage {
  const { parts: outer } = message;
  const parts = {
    id: message._msgid,
    type: 'array',
    len: 1,
    index,
    count,
    ...(outer ? { parts: outer } : {}),
  };
  return { ...message, payload: voice, voice_id: voice.voice_id, parts };
}
