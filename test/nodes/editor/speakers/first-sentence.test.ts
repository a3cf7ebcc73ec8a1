import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  describeInBrowser,
  type Editor,
  openEditor,
  sharedBrowser,
} from '../../../support/browser/browser.js';
import { type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { type SoundSystem, withSoundSystem } from '../../../support/programs/pulseaudio.js';
import { useParts } from '../../../support/use-parts.js';
import { until } from '../../../support/waiting.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'My first flow' },
  { id: 'note', type: 'comment', z: 'tab', name: 'begin here', info: '', x: 700, y: 20, wires: [] },
];
/** Samples above this are a sound. */
const AUDIBLE = 500;
/** Samples of a spoken sentence that are not almost zero: more than a chime has. */
const SENTENCE = 10_000;

interface Parts {
  sound: SoundSystem;
  nodeRed: NodeRed;
}

describeInBrowser(
  'a new user with a speaker',
  () => {
    const parts = useParts<Parts>((work) =>
      withSoundSystem(async (sound) => {
        const nodeRed = await startNodeRed(flows);
        try {
          await work({ sound, nodeRed });
        } finally {
          await nodeRed.stop();
        }
      }),
    );
    let editor: Editor;
    before(async () => {
      editor = await openEditor(await sharedBrowser(), parts().nodeRed.url);
    });
    after(() => editor?.close());

    let clicks = 0;
    const click = async (place: Locator) => {
      clicks += 1;
      await place.click();
    };

    const loud = () => {
      const heard = parts().sound.heard();
      let count = 0;
      for (let at = 0; at + 1 < heard.length; at += 2)
        if (Math.abs(heard.readInt16LE(at)) > AUDIBLE) count += 1;
      return count;
    };

    it('hears a typed sentence on a found speaker after one drag, four clicks and one text', async () => {
      const { page } = editor;
      const entry = page.locator('.red-ui-palette-node[data-palette-type="herald-text-to-speech"]');
      await entry.scrollIntoViewIfNeeded();
      await entry.dragTo(page.locator('#red-ui-workspace-chart'), { targetPosition: { x: 400, y: 150 } });
      const id = String(await page.evaluate('RED.nodes.filterNodes({ z: "tab" }).at(-1).id'));
      clicks += 1;
      await page.locator(`[id="${id}"]`).dblclick();
      await click(page.getByRole('button', { name: 'Play on a speaker' }));
      // The search also finds the speakers of other tests that run at the same time.
      await click(
        page.getByRole('list', { name: 'Speakers' }).locator('label', { hasText: 'This computer' }),
      );
      await page.locator('#herald-try-text').fill('The washing machine has finished. Please empty it.');
      await click(page.getByRole('button', { name: 'Speak this text' }));
      await page.getByText('The sound system of this computer has played the sound.').waitFor();
      assert.ok(clicks <= 4, `${clicks} clicks`);
      await until(() => loud() > SENTENCE);
    });

    it('has made one config node, which an undo removes, and has deployed nothing', async () => {
      const { page } = editor;
      const speakers = () =>
        page.evaluate<number>(`{
        const found = [];
        RED.nodes.eachConfig((node) => { if (node.type === 'herald-speaker') found.push(node); });
        found.length;
      }`);
      assert.equal(await speakers(), 1);
      await editor.cancel();
      await page.evaluate(`RED.actions.invoke('core:undo')`);
      assert.equal(await speakers(), 0);
      const types = (await parts().nodeRed.flows()).map(({ type }) => type);
      assert.deepEqual(types, ['tab', 'comment']);
    });
  },
  ['pulseaudio'],
);
