import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import * as fc from 'fast-check';
import { templateProblem } from '../../../../../nodes/editor/form/rules/template.js';
import { fillTemplate } from '../../../../../nodes/runtime/template.js';
import { registrationOf } from '../../built.js';

/** Returns whether the node refuses a template, with any message. */
const isRefused = (template: string): Promise<boolean> =>
  fillTemplate(
    template,
    {},
    async () => undefined,
    () => '',
  ).then(
    () => false,
    () => true,
  );

describe('check of a typed template in the dialog', () => {
  const wrong: [text: string, key: string, name?: string][] = [
    ['It is {{payload.temperature degrees.', 'rules.tag-unclosed'],
    ['{{', 'rules.tag-unclosed'],
    ['{{{payload}}', 'rules.tag-unclosed'],
    ['{{#payload}}Hello', 'rules.section-unclosed', 'payload'],
    ['{{^payload}}Hello', 'rules.section-unclosed', 'payload'],
    ['{{#a}}{{#b}}{{/a}}{{/b}}', 'rules.section-unclosed', 'b'],
    ['Hello{{/payload}}', 'rules.section-unopened', 'payload'],
    ['{{#<b>}}', 'rules.section-unclosed', 'b'],
  ];
  for (const [text, key, name] of wrong) {
    it(`refuses ${text} with ${key}, as the node does`, async () => {
      const values = name === undefined ? {} : { values: { name } };
      assert.deepEqual(templateProblem(text), { key, ...values });
      assert.equal(await isRefused(text), true);
    });
  }

  it('repeats the words of the parser for a rare fault', () => {
    assert.deepEqual(templateProblem('{{=<%=}}'), {
      key: 'rules.template',
      values: { problem: 'Invalid tags: %' },
    });
  });

  it('accepts a text without tags, with complete tags and with other delimiters', () => {
    for (const text of [
      '',
      'a } or }} b',
      '{{a}} {{{b}}} {{&c}}',
      '{{#a}}{{^b}}{{/b}}{{/a}}',
      '{{=<% %>=}}{{<%a%>',
    ])
      assert.equal(templateProblem(text), undefined, text);
  });

  it('refuses exactly the templates that the node cannot fill in', async () => {
    const parts = [
      '{{',
      '}}',
      '{{{',
      '}}}',
      '{',
      '}',
      '#',
      '^',
      '/',
      '&',
      '>',
      '!',
      '=',
      'a',
      'b',
      ' ',
      '\n',
      '<% %>',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 24 }), async (chosen) => {
        const text = chosen.join('');
        assert.equal(templateProblem(text) !== undefined, await isRefused(text), text);
      }),
      { numRuns: 2000 },
    );
  });

  it('checks the fields that the node fills in', () => {
    const templatesOf = (name: string) => registrationOf(name).registration['templates'];
    assert.deepEqual([...z.array(z.string()).parse(templatesOf('text-to-speech'))], ['text', 'filename']);
    assert.deepEqual([...z.array(z.string()).parse(templatesOf('predict-duration'))], ['text']);
    assert.equal(templatesOf('credits'), undefined);
  });
});
