import assert from 'node:assert/strict';
import { utteranceLabel } from '../../../../nodes/lib/utterance.js';
import { type LabelStyles, nodeLabel } from '../../../../nodes/editor/form/labels.js';
import { pageOf } from '../built.js';

const styles = {
  action: 'choice',
  text: 'quote',
  voice_id: 'voice',
  gender: 'text',
  csv_file: 'path',
} as const;

const labelOf = (properties: object, quotes = '“”') => {
  const texts: Readonly<Record<string, string>> = { label: 'text to speech', quotes };
  return nodeLabel({ _: (key) => texts[key] ?? key, ...properties }, styles);
};

describe('label of a node on the canvas', () => {
  const labels: [shows: string, properties: object, label: string][] = [
    ['the name', { name: 'doorbell', text: 'Hello', textType: 'str' }, 'doorbell'],
    [
      'the type if nothing is set',
      { text: 'payload', textType: 'msg', voice_id: '', voice_idType: 'str' },
      'text to speech',
    ],
    ['a typed text in quotes', { text: 'Dinner is ready', textType: 'str' }, '“Dinner is ready”'],
    [
      'the first 23 characters of a long text',
      { text: 'a'.repeat(99), textType: 'str' },
      `“${'a'.repeat(23)}…”`,
    ],
    ['no half emoji', { text: `${'a'.repeat(22)}😀 and more`, textType: 'str' }, `“${'a'.repeat(22)}…”`],
    ['no voice id in place of the name Selma', { voice_id: 'slt', voice_idType: 'str' }, 'text to speech'],
    [
      'the name of a natural voice',
      { voice_id: 'en_US-joe-medium', voice_idType: 'str' },
      'text to speech: Joe',
    ],
    [
      'the first name of a natural voice with a long name',
      { voice_id: 'de_DE-thorsten_emotional-medium#2', voice_idType: 'str' },
      'text to speech: Thorsten',
    ],
    ['no long voice id', { voice_id: 'narrator-of-the-house', voice_idType: 'str' }, 'text to speech'],
    ['no random voice id', { voice_id: '91992bbd4758bd', voice_idType: 'str' }, 'text to speech'],
    ['no value that depends on the message', { voice_id: 'voice', voice_idType: 'msg' }, 'text to speech'],
    [
      'the label of a choice',
      { action: 'list', actionType: 'str' },
      'text to speech: fields.action.choices.list',
    ],
    ...['/srv/node-red/announcements/menu.csv', 'C:\\announcements\\menu.csv', 'menu.csv'].map(
      (csv_file): [string, object, string] => [
        `the name of the file ${csv_file}`,
        { csv_file, csv_fileType: 'str' },
        'text to speech: menu.csv',
      ],
    ),
    [
      'the name of a folder',
      { csv_file: '/srv/announcements/', csv_fileType: 'str' },
      'text to speech: announcements',
    ],
    ['the root folder', { csv_file: '/', csv_fileType: 'str' }, 'text to speech: /'],
    ['a filter', { gender: 'female', genderType: 'str' }, 'text to speech: female'],
    [
      'the first property of the definition that has a typed value',
      { gender: 'female', genderType: 'str', voice_id: 'en_US-joe-medium', voice_idType: 'str' },
      'text to speech: Joe',
    ],
    ['no property that the definition does not list', { age: 'young', ageType: 'str' }, 'text to speech'],
  ];
  it('shows no language code of a text-to-speech node', () => {
    assert.ok(!utteranceLabel.some((field: string) => field === 'language'));
  });

  for (const [shows, properties, label] of labels) {
    it(`shows ${shows}`, () => assert.equal(labelOf(properties), label));
  }

  it('shows a prompts node with the name of its table, without the path', () => {
    const built: LabelStyles = JSON.parse(/nodeLabel\(this, (.+?)\)/.exec(pageOf('prompts'))?.[1] ?? '');
    const node = { _: () => 'prompts', csv_file: '/srv/announcements/menu.csv', csv_fileType: 'str' };
    assert.equal(nodeLabel(node, built), 'prompts: menu.csv');
  });

  it('shows a typed text in the quotation marks of the language', () => {
    assert.equal(labelOf({ text: 'Das Essen ist fertig', textType: 'str' }, '„“'), '„Das Essen ist fertig“');
    assert.equal(labelOf({ text: 'La cena está lista', textType: 'str' }, '«»'), '«La cena está lista»');
  });
});
