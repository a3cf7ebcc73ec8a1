import assert from 'node:assert/strict';
import { type Labelled, nodeLabel } from '../../../../nodes/editor/form/labels.js';

const node = (properties: object): Labelled => ({
  _: (key) => (key === 'label' ? 'text to speech' : key),
  ...properties,
});

describe('label of a node on the canvas', () => {
  const labels: [shows: string, properties: object, label: string][] = [
    ['the name', { name: 'doorbell', text: 'Hello', textType: 'str' }, 'doorbell'],
    [
      'what the node is, when nothing is set',
      { text: 'payload', textType: 'msg', voice_id: '' },
      'text to speech',
    ],
    ['a text that is typed', { text: 'Dinner is ready', textType: 'str' }, '“Dinner is ready”'],
    ['the beginning of a long text', { text: 'a'.repeat(99), textType: 'str' }, `“${'a'.repeat(23)}…”`],
    ['the voice', { voice_id: 'kal16', voice_idType: 'str' }, 'text to speech: kal16'],
    [
      'no identifier that tells nothing',
      { voice_id: '91992bbd4758bd', voice_idType: 'str' },
      'text to speech',
    ],
    ['no source of a value', { voice_id: 'voice', voice_idType: 'msg' }, 'text to speech'],
    ['what it does', { action: 'list', actionType: 'str' }, 'text to speech: fields.action.choices.list'],
    ['a filter', { gender: 'female', genderType: 'str' }, 'text to speech: female'],
  ];
  for (const [shows, properties, label] of labels) {
    it(`shows ${shows}`, () => assert.equal(nodeLabel(node(properties)), label));
  }
});
