import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tightenFolders } from '../../../nodes/account/tighten-folders.js';
import { useFolder } from '../../support/folder.js';

describe('the rights of the files that earlier versions wrote', () => {
  const folder = useFolder();
  const { HERALD_DATA: former } = process.env;
  beforeEach(async () => {
    process.env['HERALD_DATA'] = folder();
    await mkdir(folder('budget'));
    await chmod(folder('budget'), 0o755);
  });
  after(() => {
    if (former === undefined) delete process.env['HERALD_DATA'];
    else process.env['HERALD_DATA'] = former;
  });
  const RED = { events: new EventEmitter(), settings: {} } as Parameters<typeof tightenFolders>[0];
  const modeOf = async (name: string) => (await stat(folder(name))).mode & 0o777;

  it('change without a user directory too', async () => {
    await tightenFolders(RED);
    assert.equal(await modeOf('budget'), 0o700);
    assert.equal(RED.events.listenerCount('flows:stopped'), 0);
  });

  it('remain if the flows stop first', async () => {
    const tightened = tightenFolders(RED);
    RED.events.emit('flows:stopped');
    await tightened;
    assert.equal(await modeOf('budget'), 0o755);
  });

  it('remain for the target of a link', async () => {
    await mkdir(folder('others'));
    await writeFile(folder('others', 'file'), '');
    await chmod(folder('others'), 0o755);
    await symlink(folder('others'), folder('prompts'));
    await tightenFolders(RED);
    assert.equal(await modeOf('others'), 0o755);
    assert.equal(await modeOf('budget'), 0o700);
  });
});
