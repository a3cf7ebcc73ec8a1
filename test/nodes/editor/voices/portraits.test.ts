import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useEditor } from '../../../support/browser/editor-session.js';
import { type Script, type Seen, withServer } from '../../../support/net/scripted-server.js';
import { voiceOf } from '../../admin/asking.js';
import { accountOf, nodeOf } from '../saved.js';

const KEY = 'sk-Nobody/may+see=this';
const flows = [{ id: 'tab', type: 'tab', label: 'Speech' }, nodeOf('predict', 'predict-duration', 0)];

/** A server with one valid picture; every other path returns invalid data. */
const gallery: Script = ({ path }) => ({
  headers: { 'content-type': 'image/svg+xml' },
  body: Buffer.from(
    path === '/anna.svg'
      ? '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
      : 'no picture',
  ),
});

/** A service with three voices: with a valid picture, with an invalid one, and without. */
const library =
  (pictures: string): Script =>
  ({ path }) => {
    const images = { anna: `${pictures}/anna.svg`, '🦊 Fox': `${pictures}/broken.svg`, zoe: null };
    const voices = Object.entries(images).map(([name, image], index) =>
      voiceOf(`voice-${index}`, { name, thumbnail_image_url: image }),
    );
    return { body: { items: path === '/v1/voices/search' ? voices : [], total: voices.length } };
  };

describeInBrowser('portrait of a voice', () => {
  const all = [...flows, accountOf()];
  const { nodeRed, editor, show } = useEditor(all);
  beforeEach(() => show(all));

  const portraits = () => editor().page.locator('.herald-portrait');

  /** Opens the picker and calls `work` after all pictures have loaded or failed. */
  const openPicker = (work: (requests: readonly Seen[]) => Promise<void>) =>
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

  it('shows the picture of the service', () =>
    openPicker(async () => {
      const width = await editor().page.evaluate(
        `document.querySelector('img.herald-portrait').naturalWidth`,
      );
      assert.equal(width, 8);
    }));

  it('shows the first letter of the name if the picture is invalid or missing', () =>
    openPicker(async () => {
      await portraits().filter({ hasText: '🦊' }).waitFor();
      assert.deepEqual(await portraits().allTextContents(), ['', '🦊', 'z']);
    }));

  it('is hidden from screen readers, which read the name once', () =>
    openPicker(async () => {
      assert.equal(await portraits().first().getAttribute('alt'), '');
      assert.equal(await editor().page.locator('.herald-picker').getByRole('img').count(), 0);
      const fox = editor().page.getByRole('button', { name: /^🦊 Fox / });
      assert.equal(await fox.count(), 1);
    }));

  it('is requested from the URL of the service only, without referrer, cookie or key', () => {
    const origins = new Set<string>();
    editor().page.on('request', (request) => origins.add(new URL(request.url()).origin));
    return openPicker(async (requests) => {
      const [picture] = requests;
      const headers = JSON.stringify(requests.map(({ headers }) => headers));
      assert.deepEqual(
        requests.map(({ path }) => path),
        ['/anna.svg', '/broken.svg'],
      );
      assert.deepEqual([picture?.headers.referer, picture?.headers.cookie], [undefined, undefined]);
      assert.ok(!headers.includes(KEY) && !headers.includes(new URL(nodeRed().url).host));
      assert.deepEqual(
        [...origins].filter((origin) => origin.startsWith('http')),
        [new URL(nodeRed().url).origin, `http://${picture?.headers.host}`],
      );
    });
  });
});
