import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser.js';
import { useEditor } from '../../../support/editor-session.js';
import { type Script, type Seen, withServer } from '../../../support/scripted-server.js';
import { voiceOf } from '../../admin/asking.js';
import { accountOf, nodeOf } from '../saved.js';

const KEY = 'sk-Nobody/may+see=this';
const flows = [{ id: 'tab', type: 'tab', label: 'Speech' }, nodeOf('predict', 'predict-duration', 0)];

/** Where pictures are; one of them is broken. */
const gallery: Script = ({ path }) => ({
  headers: { 'content-type': 'image/svg+xml' },
  body: Buffer.from(
    path === '/anna.svg'
      ? '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
      : 'no picture',
  ),
});

/** Three voices: with a picture, with a broken one, and with none. */
const library =
  (pictures: string): Script =>
  ({ path }) => {
    const images = { anna: `${pictures}/anna.svg`, '🦊 Fox': `${pictures}/broken.svg`, zoe: null };
    const voices = Object.entries(images).map(([name, image], index) =>
      voiceOf(`voice-${index}`, { name, thumbnail_image_url: image }),
    );
    return { body: { items: path === '/v1/voices/search' ? voices : [], total: voices.length } };
  };

describeInBrowser('pictures of voices', () => {
  const all = [...flows, accountOf()];
  const { nodeRed, editor, show } = useEditor(all);
  beforeEach(() => show(all));

  const portraits = () => editor().page.locator('.herald-portrait');

  /** The list of voices, once every picture has been asked for. */
  const openPicker = (work: (asked: readonly Seen[]) => Promise<void>) =>
    withServer(gallery, ({ url: pictures, requests }) =>
      withServer(library(pictures), async ({ url }) => {
        const account = { service: 'hosted', url, credentials: { apiKey: KEY } };
        await editor().page.evaluate(
          `Object.assign(RED.nodes.node('account'), ${JSON.stringify({ ...account, changed: true })})`,
        );
        await editor().open('predict');
        await editor().page.getByRole('button', { name: 'Find a voice' }).click();
        await portraits().nth(2).waitFor();
        await editor().page.waitForFunction(
          `[...document.querySelectorAll('img.herald-portrait')].every(({ complete }) => complete)`,
        );
        await work(requests);
      }),
    );

  it('are shown where the service names them', () =>
    openPicker(async () => {
      const width = await editor().page.evaluate(
        `document.querySelector('img.herald-portrait').naturalWidth`,
      );
      assert.equal(width, 8);
    }));

  it('give way to the first letter of the name where they are broken, or where there are none', () =>
    openPicker(async () => {
      await portraits().filter({ hasText: '🦊' }).waitFor();
      assert.deepEqual(await portraits().allTextContents(), ['', '🦊', 'z']);
    }));

  it('are no part of what a screen reader says: that is the name, once', () =>
    openPicker(async () => {
      assert.equal(await portraits().first().getAttribute('alt'), '');
      assert.equal(await editor().page.locator('.herald-picker').getByRole('img').count(), 0);
      const fox = editor().page.getByRole('button', { name: /^🦊 Fox / });
      assert.equal(await fox.count(), 1);
    }));

  it('are asked for where the service says and nowhere else, and the place learns nothing of the page', () => {
    const places = new Set<string>();
    editor().page.on('request', (request) => places.add(new URL(request.url()).origin));
    return openPicker(async (asked) => {
      const [picture] = asked;
      const told = JSON.stringify(asked.map(({ headers }) => headers));
      assert.deepEqual(
        asked.map(({ path }) => path),
        ['/anna.svg', '/broken.svg'],
      );
      assert.deepEqual([picture?.headers.referer, picture?.headers.cookie], [undefined, undefined]);
      assert.ok(!told.includes(KEY) && !told.includes(new URL(nodeRed().url).host));
      assert.deepEqual(
        [...places].filter((origin) => origin.startsWith('http')),
        [new URL(nodeRed().url).origin, `http://${picture?.headers.host}`],
      );
    });
  });
});
