import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Route } from 'playwright-core';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { type Mpd, withMpd } from '../../../support/programs/mpd.js';
import { useParts } from '../../../support/use-parts.js';
import { until } from '../../../support/waiting.js';
import { nodeOf, speakerOf } from '../saved.js';

const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
const axeReport = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});
/** A found speaker, as the runtime lists it. A real search would ask other computers. */
const FOUND = { kind: 'dlna', name: 'Living room', model: 'R-N303', address: 'http://10.0.0.5:1400/d.xml' };
const flowsWith = (address: string) => [
  { id: 'tab', type: 'tab', label: 'Speech' },
  { ...nodeOf('speech', 'text-to-speech', 0), account: '' },
  speakerOf({ id: 'kitchen', name: 'Kitchen', address }),
];

describeInBrowser(
  'speakers in the sidebar tab "Speech"',
  () => {
    const mpd = useParts<Mpd>(withMpd);
    const { editor, show } = useSharedEditor(flowsWith('127.0.0.1:9'));
    before(async () => {
      await show(flowsWith(mpd().address));
      await editor().page.addScriptTag({ path: axe });
      await editor().page.route('**/herald/speakers/search', (route) =>
        route.fulfill({ json: { version: 1, isSearching: false, speakers: [FOUND] } }),
      );
      await editor().page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
    });
    afterEach(async () => {
      await editor().page.unroute('**/herald/reach/addresses');
      assert.deepEqual(editor().problems, []);
    });

    const section = () => editor().page.getByRole('region', { name: 'Speakers' });
    /** The visible answer whether the speakers can fetch audio. */
    const answer = () =>
      section()
        .getByText(/^(Yes, probably|No|Perhaps): .*speakers/)
        .filter({ visible: true });
    const row = (name: string) => section().locator('li', { hasText: name });

    it('shows the state of a speaker, and its last announcement with the proof', async () => {
      await row('Kitchen').getByText('Ready · MPD · 127.0.0.1').waitFor();
      await row('Kitchen').getByRole('button', { name: 'Test sound: Kitchen' }).click();
      await row('Kitchen').getByText('Playing · MPD').waitFor();
      await row('Kitchen').getByText('Kitchen has played the sound to its end.').waitFor();
    });

    it('shows that a speaker failed and why, until it plays again', async () => {
      await mpd().kill();
      await row('Kitchen').getByRole('button', { name: 'Test sound: Kitchen' }).click();
      await row('Kitchen')
        .getByText(/Kitchen does not answer/)
        .waitFor();
      await row('Kitchen').getByText('Failed · MPD · 127.0.0.1').waitFor();
      assert.equal(await row('Kitchen').getByText('Ready').count(), 0);
      await mpd().start();
      await row('Kitchen').getByRole('button', { name: 'Test sound: Kitchen' }).click();
      await row('Kitchen').getByText('Ready · MPD · 127.0.0.1').waitFor();
      await row('Kitchen').getByText('Kitchen has played the sound to its end.').waitFor();
    });

    it('changes the maximum volume of a speaker, which an undo restores', async () => {
      const { page } = editor();
      const saved = () => page.evaluate(`RED.nodes.node('kitchen').max_volume`);
      const volume = row('Kitchen').getByRole('slider', { name: 'Maximum volume of Kitchen (%)' });
      await volume.fill('40');
      await row('Kitchen').getByText('40 %').waitFor();
      assert.equal(await saved(), '40');
      await volume.blur();
      await page.evaluate(`RED.actions.invoke('core:undo')`);
      assert.equal(await saved(), '');
    });

    it('shows an environment variable or a wrong number as the maximum volume in place of the slider, and the default for spaces', async () => {
      const { page } = editor();
      const volume = row('Kitchen').getByRole('slider', { name: 'Maximum volume of Kitchen (%)' });
      const set = (max_volume: string) =>
        page.evaluate(
          `RED.events.emit('nodes:change', Object.assign(RED.nodes.node('kitchen'), { max_volume: '${max_volume}' }))`,
        );
      await set('${VOLUME}');
      await row('Kitchen').getByText('${VOLUME}', { exact: true }).waitFor();
      assert.equal(await volume.isDisabled(), true);
      await set('1,5');
      await row('Kitchen').getByText('1,5', { exact: true }).waitFor();
      assert.equal(await volume.isDisabled(), true);
      await set(' ');
      await row('Kitchen').getByText('100 %').waitFor();
      assert.equal(await volume.isDisabled(), false);
    });

    it('answers whether the speakers can fetch audio', () => answer().waitFor());

    it('keeps the newest answer when an older one arrives late', async () => {
      const { page } = editor();
      const held: Route[] = [];
      const replyWith = (route: Route, url: string) => route.fulfill({ json: { url } });
      await page.route('**/herald/reach/addresses', (route) =>
        held.push(route) === 1 ? undefined : replyWith(route, 'http://new'),
      );
      const check = () => page.evaluate(`RED.events.emit('deploy')`);
      await check();
      await until(() => held.length === 1);
      await check();
      await section().getByText('http://new').waitFor();
      const arrived = page.waitForResponse('**/herald/reach/addresses');
      for (const late of held.slice(0, 1)) await replyWith(late, 'http://old');
      await (await arrived).finished();
      // A page that takes the late answer has drawn it by then.
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      assert.equal(await section().getByText('http://new').isVisible(), true);
    });

    const find = () => section().getByRole('button', { name: 'Find speakers' }).click();

    it('adds a found speaker with one click', async () => {
      await find();
      await row('Living room').getByText('DLNA · R-N303, 10.0.0.5').waitFor();
      await row('Living room').getByRole('button', { name: 'Add: Living room' }).click();
      await row('Living room').getByRole('button', { name: 'Edit: Living room' }).waitFor();
    });

    for (const colorScheme of ['light', 'dark'] as const)
      it(`has no accessibility violations with a ${colorScheme} system`, async () => {
        // Node-RED 5 follows the system. Node-RED 4.1 has one theme.
        await editor().page.emulateMedia({ colorScheme });
        const found = await editor().page.evaluate(
          `axe.run('.herald-activity', { resultTypes: ['violations'] })`,
        );
        const { violations } = axeReport.parse(found);
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
          [],
        );
      });

    it('answers at once when a first speaker in the network is added', async () => {
      await editor().page.evaluate(
        `for (const { id, type } of RED.nodes.createCompleteNodeSet()) if (type === 'herald-speaker') RED.nodes.remove(id)`,
      );
      await answer().waitFor({ state: 'detached' });
      await find();
      await row('Living room').getByRole('button', { name: 'Add: Living room' }).click();
      await answer().waitFor();
    });
  },
  ['mpd'],
);
