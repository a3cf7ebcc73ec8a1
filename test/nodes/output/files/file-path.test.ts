import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { sniffAudio } from '@herald-speech/client';
import { outputFileOf } from '../../../../nodes/output/files/file-path.js';
import { DeferredTemplate } from '../../../../nodes/runtime/template.js';
import { speechNode, withHostedFlow } from '../../../support/node-red/flow.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { errorOf } from '../../../support/node-red/messages.js';
import { spoken } from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';

describe('a file name with tags', () => {
  const folder = useDataFolder();
  const chosen = () => path.join(folder(), 'chosen');
  before(() => mkdir(chosen()));

  /** Speaks messages with a template below the chosen folder. Resolves with the payload or the error of each message. */
  const speak = async (template: string, messages: object[], more: object = {}): Promise<string[]> =>
    withHostedFlow(
      () => spoken(),
      [speechNode('text-to-speech', { output: 'file', filename: `${chosen()}/${template}`, ...more })],
      async (flow, { requests }) => {
        const results: string[] = [];
        const left = () => [...flow.received('done'), ...flow.received('fatal')];
        for (const message of messages) {
          const before = { requests: requests.length, left: left() };
          flow.send('node', { payload: 'Hello.', ...message });
          await until(() => left().length > before.left.length);
          const result = left().find((known) => !before.left.includes(known)) ?? assert.fail();
          if ('error' in result) assert.equal(requests.length, before.requests, 'paid before the check');
          results.push('error' in result ? errorOf(result).message : String(result.payload));
        }
        return results;
      },
    );

  it('is filled with the values of the message and the request', async () => {
    const [file = ''] = await speak('{{topic}}-{{language}}.wav', [{ topic: 'door', language: 'de' }]);
    assert.equal(file, path.join(chosen(), 'door-de.wav'));
    assert.equal(sniffAudio(await readFile(file)), 'wav');
  });

  it('can have tags in its folders, which are created on request', async () => {
    const messages = [{ room: 'kitchen', topic: 'a/b' }];
    const create = { create_folder: 'true', create_folderType: 'bool' };
    const [file] = await speak('{{room}}/{{{topic}}}.wav', messages, create);
    assert.equal(file, path.join(chosen(), 'kitchen', 'a_b.wav'));
  });

  const hostile = [
    '../../x',
    '..',
    '/etc/passwd',
    'a\\..\\b',
    'C:\\x',
    'a\0b',
    'x\u202Egpj',
    '.hidden',
    ' . ',
  ];
  it('replaces separators, dots at the start and control characters in values', async () => {
    const files = await speak(
      'n{{topic}}.wav',
      hostile.map((topic) => ({ topic })),
    );
    for (const file of files) assert.equal(path.dirname(file), chosen());
    for (const file of files) assert.match(path.basename(file), /^n[\w.]*\.wav$/);
  });

  it('avoids names of devices, and shortens names that are too long', async () => {
    const [device = '', long = ''] = await speak('{{topic}}.wav', [
      { topic: 'CON' },
      { topic: 'ä'.repeat(400) },
    ]);
    assert.equal(path.basename(device), '_CON.wav');
    assert.ok(Buffer.byteLength(path.basename(long)) <= 255 && long.endsWith('ä.wav'));
  });

  it('leaves on fatal before any request if it leaves the chosen folder or is empty', async () => {
    const [outside = ''] = await speak('{{topic}}/../../x.wav', [{ topic: 'a' }]);
    assert.match(outside, /x\.wav": outside the folder ".*chosen", .*: remove "\.\."/);
    const [dots = ''] = await speak('{{{a}}}{{b}}/x.wav', [{ a: '.', b: '.' }], { create_folder: 'true' });
    assert.doesNotMatch(dots, /outside/);
    const [empty = ''] = await speak('{{#missing}}{{missing}}{{/missing}}.wav', [{}]);
    assert.match(empty, /^filename ".*": the values of the tags give an empty name/);
    const [broken = ''] = await speak('{{#a}}.wav', [{}]);
    assert.match(broken, /^filename: cannot evaluate str .*Unclosed section/);
  });

  it('leaves on fatal before any request if a tag has no text, and the error names the tag', async () => {
    const topics = [undefined, null, '', ' \n', { a: 1 }, ['a']];
    for (const template of ['{{topic}}-{{language}}.wav', '{{{topic}}}-x.wav', '{{&topic}}-x.wav'])
      for (const error of await speak(
        template,
        topics.map((topic) => ({ topic })),
      ))
        assert.match(error, /^filename ".*": \{\{topic\}\} has no text: .* write \{\{#topic\}\}/);
  });

  it('can have a section for a value that may be missing', async () => {
    const files = await speak('{{#topic}}{{topic}}-{{/topic}}end.wav', [
      {},
      { topic: 'door' },
      { topic: '' },
    ]);
    assert.deepEqual(
      files.map((file) => path.basename(file)),
      ['end.wav', 'door-end.wav', 'end.wav'],
    );
  });

  it('leaves on fatal if a symbolic link leads out of the chosen folder', async () => {
    await mkdir(path.join(folder(), 'elsewhere'));
    await symlink(path.join(folder(), 'elsewhere'), path.join(chosen(), 'link'));
    await symlink(path.join(folder(), 'elsewhere', 'new.wav'), path.join(chosen(), 'file.wav'));
    const create = { create_folder: 'true', create_folderType: 'bool' };
    for (const [template, topic] of [
      ['{{topic}}/x.wav', 'link'],
      ['{{topic}}/deep/x.wav', 'link'],
    ] as const) {
      const [error = ''] = await speak(template, [{ topic }], create);
      assert.match(error, /outside the folder/);
    }
    const [error = ''] = await speak('{{topic}}.wav', [{ topic: 'file' }], create);
    assert.match(error, /file\.wav"/);
    assert.deepEqual(await readdir(path.join(folder(), 'elsewhere')), []);
  });

  it('never leaves the chosen folder, for any values', () =>
    withHostedFlow(
      () => spoken(),
      [],
      async ({ RED }) => {
        const sign = fc.constantFrom('..', '/', '\\', '.', '\0', 'a', ':', '~', '\u2044');
        const value = fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.array(sign).map((signs) => signs.join('')),
        );
        const templates = fc.constantFrom(
          '{{a}}{{{b}}}/{{c}}.wav',
          '{{&a}}/{{{b}}}/{{c}}',
          '{{#a}}{{{.}}}{{/a}}{{b}}{{c}}',
        );
        await fc.assert(
          fc.asyncProperty(templates, value, value, value, async (template, a, b, c) => {
            const filename = new DeferredTemplate(
              `/chosen/${template}`,
              { a: [a, a], b, c },
              async () => undefined,
            );
            const found = await outputFileOf(RED, filename, {}).catch(() => undefined);
            if (found === undefined) return;
            assert.ok(found.file.startsWith('/chosen/') && found.root === '/chosen');
            assert.ok(found.file.split('/').every((name) => name !== '..' && Buffer.byteLength(name) <= 255));
          }),
        );
      },
    ));
});
