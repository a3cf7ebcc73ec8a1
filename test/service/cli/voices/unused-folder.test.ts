import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { hintForUnusedFolder } from '../../../../service/cli/voices/unused-folder.js';
import { useFolder } from '../../natural/support.js';

describe('the hint about the data folder', () => {
  const at = useFolder();
  const hint = () => hintForUnusedFolder({ data: at('data'), voices: at('data', 'voices') }, at('node-red'));
  const use = async (folder: string) => {
    await mkdir(at(folder), { recursive: true });
    await writeFile(at(folder, 'herald.sqlite'), '');
  };

  it('names the folder of Node-RED if only Node-RED has used a service', async () => {
    await use('node-red');
    assert.equal(
      hint(),
      `No service has used the data folder ${at('data')}. For the voices of Node-RED, add --data ${at('node-red')}`,
    );
  });

  it('is absent if a service has used the folder, or Node-RED has none', async () => {
    assert.equal(hint(), undefined);
    await use('node-red');
    await use('data');
    assert.equal(hint(), undefined);
  });

  it('is absent if the user names a folder of voices', async () => {
    await use('node-red');
    assert.equal(hintForUnusedFolder({ data: at('data'), voices: at('shared') }, at('node-red')), undefined);
  });
});
