import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { models, z } from '@herald-speech/client';
import { describeInBrowser, sharedBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import { localeOf, names } from './built.js';

const PICTURES = path.resolve(__dirname, '../../../nodes/pictures');
const MAX_BYTES = 1_500_000;
const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const comment = { id: 'comment', type: 'comment', z: 'tab', x: 100, y: 80, name: '', info: '', wires: [] };

describe('the help of a node that speaks', () => {
  it('names the default model of each language', () => {
    const help = localeOf('text-to-speech', 'html');
    const named = [...help.matchAll(/`([a-z]+_[a-z0-9_]+)` \(([a-z ]+)\)/g)].flatMap(
      ([, model = '', codes = '']) => codes.split(' ').map((language) => [language, model]),
    );
    const defaults = Object.values(models)
      .flatMap(({ languages }) => languages)
      .map((language) => [
        language,
        Object.keys(models).find((name) => models[name]?.languages.includes(language)),
      ]);
    assert.deepEqual(Object.fromEntries(named), Object.fromEntries(defaults));
    assert.ok(named.length > 30);
  });
});

describe('picture of the help', () => {
  const [light, dark] = [readdirSync(path.join(PICTURES, 'light')), readdirSync(path.join(PICTURES, 'dark'))];
  const files = [...light.map((file) => `light/${file}`), ...dark.map((file) => `dark/${file}`)];

  it('exists in the same size for light and dark themes', () => {
    for (const file of light) assert.deepEqual(sizeOf(`dark/${file}`), sizeOf(`light/${file}`), file);
    assert.deepEqual(dark, light);
  });

  it('is used by the help of a node', () => {
    const shown = names.flatMap((name) =>
      [...localeOf(name, 'html').matchAll(/pictures\/([\w-]+\/[\w-]+\.png)/g)].map(([, file = '']) => file),
    );
    assert.deepEqual([...new Set(shown)].sort(), [...files].sort());
  });

  it('adds less than 1.5 MB to the package with all others', () => {
    const bytes = files.reduce((sum, file) => sum + statSync(path.join(PICTURES, file)).size, 0);
    assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
  });
});

describeInBrowser('help in the sidebar', () => {
  const { nodeRed, editor } = useSharedEditor([tab, comment]);

  /** Shows a node's help and returns its visible pictures after they have loaded. */
  const picturesOf = async (name: string) => {
    await editor().page.evaluate(`RED.sidebar.help.show('herald-${name}')`);
    await editor().page.waitForFunction(
      `[...document.querySelectorAll('.red-ui-help img')].filter((image) => image.checkVisibility())
        .every((image) => { image.loading = 'eager'; return image.complete; })`,
    );
    const found = await editor().page.evaluate(
      `[...document.querySelectorAll('.red-ui-help img')].filter((image) => image.checkVisibility())
        .map((image) => ({
          file: image.src.split('/').slice(-2).join('/'),
          words: image.alt,
          pixels: image.naturalWidth,
          width: image.getBoundingClientRect().width,
          room: image.closest('.red-ui-help').getBoundingClientRect().width,
        }))`,
    );
    return pictures.parse(found);
  };

  for (const name of names) {
    it(`shows the dialog of ${name} within the width of the sidebar`, async () => {
      const shown = await picturesOf(name);
      assert.equal(shown[0]?.file, `light/${name}.png`);
      for (const { file, words, pixels, width, room } of shown) {
        assert.ok(pixels > 0 && words !== '', file);
        assert.ok(width > 100 && width <= room, `${file}: ${width} of ${room}`);
      }
    });
  }

  it('shows the voice picker, Try it, the reach and the list of speakers for text to speech, and Test for the account', async () => {
    const files = [...(await picturesOf('text-to-speech')), ...(await picturesOf('account'))];
    assert.deepEqual(
      files.map(({ file }) => file),
      [
        'text-to-speech',
        'text-to-speech-voices',
        'text-to-speech-try',
        'text-to-speech-reach',
        'text-to-speech-speakers',
        'account',
        'account-test',
      ].map((picture) => `light/${picture}.png`),
    );
  });

  it('switches pictures with the theme', async () => {
    await editor().page.addStyleTag({ content: '.of-a-test { --red-ui-primary-text-color: #eee; }' });
    const turn = () => editor().page.evaluate(`document.documentElement.classList.toggle('of-a-test')`);
    await turn();
    for (const name of names) {
      const [first] = await picturesOf(name);
      assert.equal(first?.file, `dark/${name}.png`);
    }
    await turn();
    assert.equal((await picturesOf('credits'))[0]?.file, 'light/credits.png');
  });

  it('loads no picture and calls no endpoint of the nodes before the user opens help or a dialog', async () => {
    const context = await (await sharedBrowser()).newContext();
    const page = await context.newPage();
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.goto(nodeRed().url);
    await page.waitForFunction(`globalThis.RED?.nodes.getType('herald-listen') !== undefined`);
    await page.waitForLoadState('networkidle');
    assert.deepEqual(
      urls.filter((url) => url.includes('/pictures/') || url.includes('/herald/')),
      [],
    );
    await context.close();
  });
});

const pictures = z.array(
  z.object({
    file: z.string(),
    words: z.string(),
    pixels: z.number(),
    width: z.number(),
    room: z.number(),
  }),
);

/** Returns width and height in pixels from the header of a PNG (RFC 2083, 4.1.1). */
function sizeOf(file: string): number[] {
  const header = readFileSync(path.join(PICTURES, file));
  return [header.readUInt32BE(16), header.readUInt32BE(20)];
}
