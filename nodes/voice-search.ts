import { type CustomVoice, operations, type Voice, z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { defineNode, type Task } from './runtime/define-node.js';
import { type Found, list, PAGES, pagesOr } from './lib/pages.js';
import { choice, number, text } from './runtime/properties.js';

const request = operations.searchVoices.request.extend({
  /** Preset voices, or the account's own: those go by name and description alone. */
  library: z.enum(['preset', 'own']).default('preset'),
  /** Whether a voice needs any of the styles, or all of them (docs/interface.md#voice-search: commas or semicolons). */
  style_match: z.enum(['any', 'all']).default('any'),
  pages: pagesOr('one'),
  /** All voices in one message, or a message for each voice. */
  output: z.enum(['array', 'each']).default('array'),
});

type Search = Task<z.output<typeof request>>;

/** Voices by filters, or all of them: preset ones or the account's own. */
export = defineNode({
  type: 'herald-voice-search',
  request,
  label: ['name', 'language', 'gender', 'style'],
  below: 'preview',
  properties: {
    library: choice('book', ['preset', 'own'], { value: 'preset' }),
    name: text('tag'),
    description: text('align-left'),
    language: text('language'),
    gender: text('venus-mars'),
    age: text('birthday-cake'),
    use_case: text('bullhorn'),
    use_cases: text('list', { more: true }),
    style: text('smile-o', { more: true }),
    style_match: choice('check-square-o', ['any', 'all'], { value: 'any', more: true }),
    model: text('cube', { more: true }),
    page_size: number('files-o', { more: true }),
    next_page_token: text('step-forward', { more: true }),
    pages: choice('clone', PAGES, { value: 'one', more: true }),
    output: choice('sign-out', ['array', 'each'], { value: 'array' }),
  },
  async run(search) {
    const { items: voices, speech } = await find(search);
    const message = { ...search.message, speech };
    // No voices leave as one empty list: a message that comes in leaves.
    if (search.request.output === 'array' || voices.length === 0) return { ...message, payload: voices };
    return voices.map((voice, index) => oneOf(voices.length, voice, index, message));
  },
});

/** The pages that were asked for; of own voices a search takes name and description alone. */
function find({ request, ...task }: Search): Promise<Found<Voice | CustomVoice>> {
  if (request.library === 'own')
    return list<CustomVoice>(operations.searchCustomVoices, { ...task, request });
  const style = request.style_match === 'all' ? request.style?.replaceAll(',', ';') : request.style;
  return list<Voice>(operations.searchVoices, { ...task, request: { ...request, style } });
}

/** One voice as a message of a sequence, which a join node puts together again; a sequence may lie in another. */
function oneOf(count: number, voice: Voice | CustomVoice, index: number, message: NodeMessage): NodeMessage {
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
