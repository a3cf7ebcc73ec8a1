import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { findDataFolder } from '../../../../service/cli/voices/data-folder.js';
import { useFolder } from '../../../support/folder.js';

describe('the data folder of the commands for voices', () => {
  const at = useFolder();
  const find = () => findDataFolder(at('work'), at('home', '.herald'));
  const write = async (folder: string, file: string, content = '') => {
    await mkdir(at(folder), { recursive: true });
    await writeFile(at(folder, file), content);
  };
  const use = (folder: string) => write(folder, 'herald.sqlite');
  const addNodes = (folder: string) =>
    mkdir(at(folder, 'node_modules', '@herald-speech', 'node-red'), { recursive: true });

  it('is the default folder if nothing else is found', () => {
    assert.equal(find(), at('home', '.herald'));
  });

  it('is the folder of the service of Node-RED in the user directory of Node-RED, also before its first start', async () => {
    await use('home/.herald');
    await addNodes('work');
    assert.equal(find(), at('work', 'herald'));
  });

  it('is the folder of a service that has run in the working directory', async () => {
    await use('home/.herald');
    await use('work/herald');
    assert.equal(find(), at('work', 'herald'));
  });

  it('is the folder of "npm start" in a checkout', async () => {
    await use('home/.herald');
    await write('work', 'package.json', '{"name": "@herald-speech/node-red"}');
    assert.equal(find(), at('work', '.herald'));
  });

  it('prefers elsewhere the default folder if a service has used it', async () => {
    await write('work', 'package.json', '{"name": "other"}');
    await mkdir(at('work', 'herald'), { recursive: true });
    await addNodes('home/.node-red');
    await use('home/.herald');
    assert.equal(find(), at('home', '.herald'));
  });

  it('is elsewhere the folder of Node-RED if no service has used the default folder', async () => {
    await write('work', 'package.json', 'no JSON');
    await addNodes('home/.node-red');
    assert.equal(find(), at('home', '.node-red', 'herald'));
  });
});
