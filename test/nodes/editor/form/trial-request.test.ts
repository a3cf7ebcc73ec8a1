import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser.js';
import { useEditor } from '../../../support/editor-session.js';
import { untilPlayed, watchSound } from '../../../support/sound-watch.js';
import { accountOf, nodeOf } from '../saved.js';

const ofAccount = { word: 'WLAN', replacement: 'wireless' };
const ofNode = { word: 'Dr.', replacement: 'Doctor', language: 'en' };

describeInBrowser('Try it with an announcement', () => {
  const { editor } = useEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    accountOf({ pronunciations: [ofAccount] }),
    {
      ...nodeOf('speaker', 'text-to-speech', 0),
      chime: 'gong',
      silence_before: '0.5',
      output_format: 'twilio',
      pronunciations: JSON.stringify([ofNode]),
      audio_volume: 'audio_volume',
      audio_volumeType: 'msg',
    },
  ]);

  it('sends and plays the typed settings and all pronunciations, and names the settings from a message', async () => {
    const { page } = editor();
    await watchSound(page);
    await editor().open('speaker');
    const sent = page.waitForRequest('**/herald/speak');
    await page.getByRole('button', { name: 'Speak this text' }).click();
    const { request } = (await sent).postDataJSON();
    assert.deepEqual(request, {
      chime: 'gong',
      silence_before: 0.5,
      format: 'twilio',
      pronunciations: [ofNode, ofAccount],
      text: 'Hello! This is how I sound.',
    });
    await untilPlayed(page, 1);
    await page.getByText('because the value comes from a message: Volume').waitFor();
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });
});
