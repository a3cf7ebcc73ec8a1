import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import type { FlowNode } from '../../../support/node-red/node-red.js';
import { flowNames } from '../built.js';
import { openFolds } from '../folds.js';
import { accountOf, nodeOf, speakerOf } from '../saved.js';

const flows: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf({ service: 'hosted', url: 'http://127.0.0.1:9' }),
  speakerOf(),
  ...flowNames.map((name, index) => nodeOf(name, name, index)),
];

/**
 * Enters wrong values in each field of the open dialog. Returns the red fields with their notes. Values of the context have the rule of
 * message fields.
 */
const ENTER_WRONG_VALUES = `(async () => {
  const red = [];
  const look = async (input, name) => {
    // The notes follow at the end of the task.
    await Promise.resolve();
    const visible = input.nextElementSibling?.querySelector('.red-ui-typedInput-input') ?? input;
    const isRed = input.matches('.input-error, :invalid') || input.nextElementSibling?.matches('.input-error') === true;
    const ids = (visible.getAttribute('aria-describedby') ?? '').split(' ');
    const notes = ids.map((id) => document.getElementById(id)).filter((note) => note?.matches('.herald-problem'));
    if (isRed) red.push([name, notes.map((note) => note.textContent).join(' ').trim()]);
  };
  for (const input of document.querySelectorAll('.herald-form :is(input[data-types], .form-row > input[id^="node-"]:not([type="hidden"]))')) {
    const { types } = input.dataset;
    const { value } = input;
    if (types !== undefined) {
      const type = $(input).typedInput('type');
      for (const source of types.split(' ').filter((one) => !['flow', 'global', 'env'].includes(one))) {
        $(input).typedInput('type', source);
        $(input).typedInput('value', 'a b[');
        await look(input, input.id + ' ' + source);
      }
      $(input).typedInput('type', type);
      $(input).typedInput('value', value);
    } else if (input.type !== 'checkbox') {
      for (const wrong of ['a b[', '-1', '50.5', '1.25', '99999999']) {
        $(input).val(wrong).trigger('input').trigger('change');
        await look(input, input.id + ' ' + wrong);
      }
      $(input).val(value).trigger('input').trigger('change');
    }
  }
  return red;
})()`;

const report = z.array(z.tuple([z.string(), z.string()]));

describeInBrowser('a red field of a dialog', () => {
  const { editor } = useSharedEditor(flows);
  afterEach(() => editor().cancel());

  const redIn = async (id: string) => {
    await editor().open(id);
    await openFolds(editor().page);
    return report.parse(await editor().page.evaluate(ENTER_WRONG_VALUES));
  };

  for (const name of [...flowNames, 'account', 'speaker'])
    it(`of ${name} has a note with the reason`, async () => {
      const red = await redIn(name);
      assert.deepEqual(
        red.filter(([, note]) => note === ''),
        [],
      );
      assert.ok(red.length > 0);
    });

  it('has a note for a text in which the browser reads no number', async () => {
    await editor().open('listen');
    await editor().page.locator('#node-input-volume').press('e');
    const note = editor().page.locator('#herald-volume-problem');
    assert.equal(await note.textContent(), 'Volume: enter a number from 0 to 100.');
  });

  it('is none with a fraction of a percent, which the runtime accepts', async () => {
    await editor().open('listen');
    const volume = editor().page.locator('#node-input-volume');
    await volume.fill('50.5');
    assert.equal(await volume.evaluate((input) => input.matches('.input-error, :invalid')), false);
  });
});
