import { checkRequest, operations, z } from '@herald-speech/client';
import { defineNode, type Task } from './shared/define-node.js';
import { collect, sizeOf } from './shared/pages.js';
import { choice, number, text } from './shared/properties.js';

const { getCustomVoice, editCustomVoice, deleteCustomVoice } = operations;
const actions = ['list', 'search', 'get', 'edit', 'delete'] as const;

/** Each action checks what it needs: what else a message carries may be meant for other nodes. */
const any = z.unknown().optional();

const request = z.object({
  action: z.enum(actions).default('list'),
  voice_id: any,
  name: any,
  description: any,
  page_size: any,
  next_page_token: any,
  /** One page, or all of them. */
  pages: z.enum(['one', 'all']).default('all'),
});

type VoicesTask = Task<z.output<typeof request>>;

/** The account's own voices: lists, finds, reads, changes and deletes them. */
export = defineNode({
  type: 'herald-custom-voices',
  request: request.refine(
    ({ action, name, description }) => action !== 'edit' || name !== undefined || description !== undefined,
    { path: ['name'], message: 'expected a new name or description' },
  ),
  properties: {
    action: choice('wrench', actions, 'list'),
    voice_id: text('user-o'),
    name: text('tag'),
    description: text('align-left'),
    page_size: number('files-o'),
    next_page_token: text('step-forward'),
    pages: choice('clone', ['one', 'all'], 'all'),
  },
  async run(task) {
    const { action } = task.request;
    const result = action === 'list' || action === 'search' ? await find(task) : await single(task, action);
    return { ...task.message, ...result };
  },
});

/** The voices of a list or search; a voice that is the only one is ready for the next node. */
async function find({ client, request: { action, pages, ...fields }, ...options }: VoicesTask) {
  const operation = action === 'list' ? operations.listCustomVoices : operations.searchCustomVoices;
  const page = checkRequest(operation.request, { page_size: sizeOf(pages), ...fields });
  const { items, speech } = await collect(client.pages(operation, page, options), pages);
  const [voice, ...others] = items;
  return { payload: items, speech, ...(voice && others.length === 0 && { voice_id: voice.voice_id }) };
}

/** One voice, as it is now; of one that is deleted only its identifier is left. */
async function single(
  { client, request: fields, ...options }: VoicesTask,
  action: 'get' | 'edit' | 'delete',
) {
  const speech = { total: 1 };
  if (action === 'delete') {
    const voice = checkRequest(deleteCustomVoice.request, fields);
    await client.call(deleteCustomVoice, voice, options);
    return { payload: voice, speech };
  }
  const operation = action === 'get' ? getCustomVoice : editCustomVoice;
  const payload = await client.call(operation, checkRequest(operation.request, fields), options);
  return { payload, speech, voice_id: payload.voice_id };
}
