import { checkRequest, type CustomVoice, type Operation, operations, rule, z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { defineNode, type Task } from './lib/define-node.js';
import { keyField, unchecked } from './lib/fields.js';
import { listItems, type Listing, PAGES, pagesField } from './lib/pages.js';
import { choiceProperty, numberProperty, textProperty } from './lib/property.js';
import { say } from './runtime/messages.js';

const actions = {
  list: listVoices(operations.listCustomVoices),
  search: listVoices(operations.searchCustomVoices),
  get: oneVoice(operations.getCustomVoice),
  edit: oneVoice(operations.editCustomVoice),
  delete: oneVoice(operations.deleteCustomVoice),
};

const listOptions = { section: 'expert', onlyFor: { action: ['list', 'search'] } } as const;

const schema = () =>
  z.object({
    action: keyField(actions).default('list'),
    voice_id: unchecked(),
    name: unchecked(),
    description: unchecked(),
    page_size: unchecked(),
    next_page_token: unchecked(),
    pages: pagesField('all'),
  });

/** Lists, searches, reads, edits and deletes the custom voices of an account. */
export = defineNode({
  type: 'herald-custom-voices',
  request: () =>
    schema().refine(
      ({ action, name, description }) => action !== 'edit' || name !== undefined || description !== undefined,
      { path: ['name'], message: rule(say('rule-change')) },
    ),
  needs: 'listCustomVoices',
  label: ['action', 'name', 'voice_id'],
  properties: {
    action: choiceProperty('wrench', Object.keys(actions), { value: 'list' }),
    voice_id: textProperty('user-o', { voices: 'own', onlyFor: { action: ['get', 'edit', 'delete'] } }),
    name: textProperty('tag', { onlyFor: { action: ['search', 'edit'] } }),
    description: textProperty('align-left', { onlyFor: { action: ['search', 'edit'] } }),
    page_size: numberProperty('files-o', {
      ...listOptions,
      rule: () => operations.listCustomVoices.request.shape.page_size,
    }),
    next_page_token: textProperty('step-forward', listOptions),
    pages: choiceProperty('clone', PAGES, { value: 'all', ...listOptions }),
  },
  run: (task) => actions[task.request.action](task),
});

/** The task of an action. The operation validates the fields that it has and ignores the others. */
type ActionTask = Task<{ pages: 'one' | 'all'; [field: string]: unknown }>;

/** An action on custom voices. Returns the message for the first output. @throws SpeechError */
type VoiceAction = (task: ActionTask) => Promise<NodeMessage>;

/** Lists or searches voices. If the result is a single voice, also sets `msg.voice_id` for the next node. */
function listVoices(operation: Listing<CustomVoice>): VoiceAction {
  return async (task) => {
    const { items, speech } = await listItems(operation, task);
    const [voice, ...others] = items;
    const only = voice && others.length === 0 ? { voice_id: voice.voice_id } : {};
    return { ...task.message, payload: items, speech, ...only };
  };
}

/** Reads, edits or deletes one voice. Returns the current voice, or only its identifier if it was deleted. */
function oneVoice(operation: Operation<z.ZodObject, z.ZodType<CustomVoice | undefined>>): VoiceAction {
  return async ({ client, request: fields, message, ...options }) => {
    const request = checkRequest(operation.request, fields);
    const voice = await client.call(operation, request, { ...options, checked: true });
    return { ...message, payload: voice ?? request, speech: { total: 1 }, ...(voice && idOf(voice)) };
  };
}

const idOf = ({ voice_id }: CustomVoice) => ({ voice_id });
