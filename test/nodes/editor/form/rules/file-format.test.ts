import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../../support/browser/browser.js';
import { useSharedEditor } from '../../../../support/browser/editor-session.js';
import { openFolds } from '../../folds.js';
import { accountOf, nodeOf } from '../../saved.js';

const fileNode = (id: string, index: number, more: object) => ({
  ...nodeOf(id, 'text-to-speech', index),
  output: 'file',
  ...more,
});

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  fileNode('file', 0, {}),
  fileNode('wrong', 1, { filename: '/srv/prompt.wav', output_format: 'asterisk-ulaw' }),
  fileNode('by message', 2, { filename: '/srv/{{topic}}.ulaw' }),
  fileNode('no file', 3, { output: 'url', filename: '/srv/prompt.wav', output_format: 'asterisk-ulaw' }),
  fileNode('ogg', 4, { filename: '/srv/prompt.ogg' }),
  fileNode('mp3', 5, { filename: '/srv/prompt.mp3' }),
];

describeInBrowser('a file and its format in the dialog', () => {
  const { editor } = useSharedEditor(flows);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const file = () => editor().page.locator('#node-input-filename-value');
  const problem = () => editor().page.locator('#node-input-filename-problem').textContent();
  const saved = async (id: string): Promise<unknown> =>
    editor().page.evaluate(
      `(({ filename, output_format, valid }) => [filename, output_format, valid])(RED.nodes.node('${id}'))`,
    );
  const chooseFormat = (label: string) => editor().chooseOption('#node-input-output_format', label);
  const open = async (id: string) => {
    await editor().open(id);
    await openFolds(editor().page);
  };

  it('offers WAV with mu-law at 8 kHz for telephone prompts, in a .wav file', async () => {
    await open('file');
    await file().fill('/srv/prompt.wav');
    await chooseFormat('WAV 8 kHz mu-law');
    assert.equal(await problem(), '');
    await editor().done();
    assert.deepEqual(await saved('file'), ['/srv/prompt.wav', 'wav-8000-mulaw', true]);
  });

  it('refuses a folder in place of a file', async () => {
    await open('file');
    await file().fill('/tmp/');
    assert.equal(await problem(), 'File: add the name of a file after the folder, such as hello.wav.');
  });

  it('refuses raw mu-law in a .wav file, as the node does, and names both ways out', async () => {
    assert.deepEqual(await saved('wrong'), ['/srv/prompt.wav', 'asterisk-ulaw', false]);
    await open('wrong');
    const text =
      'File: .wav does not fit the format Asterisk raw .ulaw. Use .ulaw, or choose another format.';
    assert.equal(await problem(), text);
    await file().fill('/srv/prompt.ulaw');
    assert.equal(await problem(), '');
    await file().fill('/srv/prompt.wav');
    assert.equal(await problem(), text);
    await editor().chooseOption('#node-input-output', 'URL');
    assert.equal(await problem(), '');
  });

  it('names the fault of a template in the name of the file', async () => {
    await open('file');
    await file().fill('/srv/{{topic.wav');
    assert.equal(await problem(), 'File: a tag that starts with {{ has no end. Add }} after its name.');
    await file().fill('/srv/{{topic}}.wav');
    assert.equal(await problem(), '');
  });

  it('changes the extension of the file when the user chooses a format, and chooses the format of an extension that WAV and MP3 lack, if the node has no format', async () => {
    await open('file');
    await file().fill('/srv/{{topic}}.wav');
    await chooseFormat('Asterisk raw .sln16');
    assert.equal(await file().inputValue(), '/srv/{{topic}}.sln16');
    await chooseFormat('MP3');
    assert.equal(await file().inputValue(), '/srv/{{topic}}.mp3');
    await file().fill('/srv/prompt.bin');
    await chooseFormat('WAV');
    assert.equal(await file().inputValue(), '/srv/prompt.bin');
    await chooseFormat('msg.format or WAV');
    await file().fill('/srv/prompt.ulaw');
    await editor().page.keyboard.press('Tab');
    await editor().done();
    assert.deepEqual(await saved('file'), ['/srv/prompt.ulaw', 'asterisk-ulaw', true]);
  });

  it('says that the format is MP3 if the name of the file decides it', async () => {
    const decided = () => editor().page.locator('#node-input-output_format-decided').textContent();
    const text = 'MP3 in place of WAV, because the file name ends in .mp3.';
    await open('mp3');
    assert.equal(await decided(), text);
    await file().fill('/srv/prompt.wav');
    assert.equal(await decided(), '');
    await file().fill('/srv/{{topic}}.MP3');
    assert.equal(await decided(), text);
    await chooseFormat('MP3 64 kbit/s');
    assert.equal(await decided(), '');
    await chooseFormat('msg.format or WAV');
    assert.equal(await decided(), text);
    await editor().chooseOption('#node-input-output', 'URL');
    assert.equal(await decided(), '');
  });

  it('accepts any known extension while a message decides on the format or no file is written', async () => {
    for (const id of ['by message', 'no file']) {
      await open(id);
      assert.equal(await problem(), '', id);
      await editor().cancel();
    }
  });

  it('refuses the extension of a format that no node makes', async () => {
    await open('ogg');
    assert.equal(await problem(), 'File: Herald makes no .ogg files. Use .wav or .mp3.');
  });
});
