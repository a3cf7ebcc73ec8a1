import assert from 'node:assert/strict';
import { MarkSigner, newMarkKey, withMark } from '@herald-speech/client';
import { wavOf } from '../../../support/audio-files.js';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useEditor } from '../../../support/browser/editor-session.js';

describeInBrowser('the check of a mark in the sidebar tab "Speech"', () => {
  const { editor } = useEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    { id: 'note', type: 'comment', z: 'tab', x: 100, y: 100, wires: [] },
  ]);

  it('says of a chosen file what happened to it', async () => {
    await editor().page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
    const tab = editor().page.locator('.herald-activity');
    const signed = withMark(wavOf(), { voice: 'v', signer: new MarkSigner(newMarkKey()) });
    const changed = Buffer.from(signed);
    changed[60] = (changed[60] ?? 0) ^ 1;
    for (const [file, verdict] of [
      [signed, 'Made by another Herald, unchanged.'],
      [changed, 'Changed after it was signed.'],
      [withMark(wavOf(), {}), 'Marked as synthetic speech, but not signed.'],
      [wavOf(), 'No mark. It may have been removed.'],
      [
        Buffer.from('<html></html>'),
        'The file is no WAV, MP3, AAC, FLAC or Ogg Opus: other files have no mark.',
      ],
    ] as const) {
      const buffer = Buffer.from(file);
      await tab.getByLabel('Audio file').setInputFiles({ name: 'a.wav', mimeType: 'audio/wav', buffer });
      await tab.getByText(verdict).waitFor();
    }
    assert.deepEqual(editor().problems, []);
  });
});
