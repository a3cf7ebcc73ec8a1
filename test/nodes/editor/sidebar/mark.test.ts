import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { MarkSigner, newMarkKey, withMark } from '@herald-speech/client';
import { wavOf } from '../../../support/audio-files.js';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { useFolder } from '../../../support/folder.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  { id: 'note', type: 'comment', z: 'tab', x: 100, y: 100, wires: [] },
];
const signed = withMark(wavOf(), { voice: 'v', signer: new MarkSigner(newMarkKey()) });
const changed = Buffer.from(signed);
changed[60] = (changed[60] ?? 0) ^ 1;

describeInBrowser('the check of a mark in the sidebar tab "Speech"', () => {
  const { editor } = useSharedEditor(flows);
  const inFolder = useFolder();
  const tab = () => editor().page.locator('.herald-activity');
  const pick = () => tab().getByRole('button', { name: 'Check an audio file' });
  const status = (text: string) => tab().getByRole('status').filter({ hasText: text });

  before(() => editor().page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`));
  afterEach(() => assert.deepEqual(editor().problems, []));

  /** Chooses a file with the keyboard. */
  async function choose(file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const chooser = editor().page.waitForEvent('filechooser');
    await pick().press('Enter');
    await (await chooser).setFiles(file);
  }

  it('says of a chosen file what happened to it', async () => {
    for (const [file, verdict] of [
      [signed, 'Made by another Herald, unchanged.'],
      [changed, 'Changed after it was signed.'],
      [withMark(wavOf(), {}), 'Marked as synthetic speech, but not signed.'],
      [wavOf(), 'No mark. It may have been removed.'],
      [
        Buffer.from('<html></html>'),
        'The file is no WAV, MP3, AAC, FLAC or Ogg Opus: other files have no mark.',
      ],
      [Buffer.from('fLaC'), 'The file is damaged, so its mark is not readable.'],
    ] as const) {
      await choose({ name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from(file) });
      await status(`a.wav: ${verdict}`).waitFor();
    }
  });

  it('reads a file again that has changed since its last check', async () => {
    const file = inFolder('dinner.wav');
    await writeFile(file, signed);
    await choose(file);
    await status('dinner.wav: Made by another Herald, unchanged.').waitFor();
    // A browser reports no change if the field still has the same file.
    assert.equal(await tab().locator('input[type=file]').inputValue(), '');
    await writeFile(file, changed);
    await choose(file);
    await status('dinner.wav: Changed after it was signed.').waitFor();
  });

  it('names the command for a file that is too large for the editor or for a proxy before it', async () => {
    const tooLarge = 'Too large for the editor. Use the command herald-service verify.';
    const large = inFolder('large.wav');
    await writeFile(large, new Uint8Array(100_000_001));
    await choose(large);
    await status(`large.wav: ${tooLarge}`).waitFor();
    await editor().page.route('**/herald/verify', (route) =>
      route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413</h1>' }),
    );
    await choose({ name: 'b.wav', mimeType: 'audio/wav', buffer: Buffer.from(signed) });
    await status(`b.wav: ${tooLarge}`).waitFor();
    await editor().page.unroute('**/herald/verify');
    // The browser reports each refused request.
    editor().problems.splice(0);
  });
});

for (const [width, height] of [
  [1280, 800],
  [900, 700],
] as const)
  describeInBrowser(`the check of a mark in a window of ${width}x${height}`, () => {
    const { editor } = useSharedEditor(flows);
    before(() => editor().page.setViewportSize({ width, height }));

    it('is in view when the tab opens, before the past announcements', async () => {
      await editor().page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
      const pick = editor().page.getByRole('button', { name: 'Check an audio file' });
      await pick.waitFor();
      const headings = await editor().page.locator('.herald-activity h3').allTextContents();
      assert.deepEqual(headings.slice(-2), ['Synthetic speech mark', 'Past']);
      const box = await pick.boundingBox();
      assert.ok(
        box !== null && box.x + box.width <= width && box.y + box.height <= height,
        JSON.stringify(box),
      );
    });
  });
