import { operations, rule, z } from '@herald-speech/client';
import { defineNode } from './lib/define-node.js';
import { entryOf, unchecked } from './lib/fields.js';
import { PAGES, pagesField } from './lib/pages.js';
import { choice, number, text } from './lib/properties.js';
import { listVoices, oneVoice } from './lib/voice-actions.js';
import { say } from './runtime/messages.js';

const actions = {
  list: listVoices(operations.listCustomVoices),
  search: listVoices(operations.searchCustomVoices),
  get: oneVoice(operations.getCustomVoice),
  edit: oneVoice(operations.editCustomVoice),
  delete: oneVoice(operations.deleteCustomVoice),
};

const listOptions = { more: true, onlyFor: { action: ['list', 'search'] } };

const schema = () =>
  z.object({
    action: entryOf(actions).default('list'),
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
  label: ['action', 'name', 'voice_id'],
  properties: {
    action: choice('wrench', Object.keys(actions), { value: 'list' }),
    voice_id: text('user-o', { voices: 'own', onlyFor: { action: ['get', 'edit', 'delete'] } }),
    name: text('tag', { onlyFor: { action: ['search', 'edit'] } }),
    description: text('align-left', { onlyFor: { action: ['search', 'edit'] } }),
    page_size: number('files-o', listOptions),
    next_page_token: text('step-forward', listOptions),
    pages: choice('clone', PAGES, { value: 'all', ...listOptions }),
  },
  run: (task) => actions[task.request.action](task),
});
