import { operations, z } from '@herald-speech/client';
import { defineNode } from './runtime/define-node.js';
import { entryOf, unchecked } from './lib/fields.js';
import { PAGES, pagesOr } from './lib/pages.js';
import { choice, number, text } from './runtime/properties.js';
import { several, single } from './lib/voice-actions.js';

const actions = {
  list: several(operations.listCustomVoices),
  search: several(operations.searchCustomVoices),
  get: single(operations.getCustomVoice),
  edit: single(operations.editCustomVoice),
  delete: single(operations.deleteCustomVoice),
};

const ofLists = { more: true, onlyFor: { action: ['list', 'search'] } };

const request = z.object({
  action: entryOf(actions).default('list'),
  voice_id: unchecked,
  name: unchecked,
  description: unchecked,
  page_size: unchecked,
  next_page_token: unchecked,
  pages: pagesOr('all'),
});

/** The account's own voices: lists, finds, reads, changes and deletes them. */
export = defineNode({
  type: 'herald-custom-voices',
  request: request.refine(
    ({ action, name, description }) => action !== 'edit' || name !== undefined || description !== undefined,
    { path: ['name'], message: 'expected a new name or description' },
  ),
  label: ['action', 'name', 'voice_id'],
  properties: {
    action: choice('wrench', Object.keys(actions), { value: 'list' }),
    voice_id: text('user-o', { voices: 'own', onlyFor: { action: ['get', 'edit', 'delete'] } }),
    name: text('tag', { onlyFor: { action: ['search', 'edit'] } }),
    description: text('align-left', { onlyFor: { action: ['search', 'edit'] } }),
    page_size: number('files-o', ofLists),
    next_page_token: text('step-forward', ofLists),
    pages: choice('clone', PAGES, { value: 'all', ...ofLists }),
  },
  run: (task) => actions[task.request.action](task),
});
