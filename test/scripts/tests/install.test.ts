import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { agrees, installCommand } from '../../../scripts/tests/install.mjs';
import { useFolder } from '../../support/folder.js';
import { withEnvironment } from '../../support/net/proxy.js';

describe('the question before an installation of programs', () => {
  const answers: [input: string, isYes: boolean][] = [
    ['\n', true],
    ['y\n', true],
    ['n\n', false],
    ['No\n', false],
    ['', false],
  ];
  for (const [input, isYes] of answers) {
    const name = input === '' ? 'the end of the input' : JSON.stringify(input);
    it(`takes ${name} for ${isYes ? 'yes' : 'no'}`, async () => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      stdin.end(input);
      assert.equal(await agrees('Install? ', { stdin, stdout }), isYes);
    });
  }

  it('takes Ctrl-D in a terminal for no', async () => {
    const [stdin, stdout] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
    const agreed = agrees('Install? ', { stdin, stdout });
    stdin.write('\u0004');
    assert.equal(await agreed, false);
  });
});

describe('the command that installs programs', () => {
  const folder = useFolder();
  const commandFor = (known: string) => {
    const file = path.join(folder(), 'apt-cache');
    writeFileSync(file, `#!/bin/sh\n[ "$2" = ${known} ]\n`);
    chmodSync(file, 0o755);
    return withEnvironment({ PATH: `${folder()}:/usr/bin:/bin` }, async () =>
      installCommand(['chromium-headless-shell', 'sox']),
    );
  };

  it('leaves out a package that the system lacks', async () => {
    const command = await commandFor('sox');
    assert.match(command, / sox$/);
    assert.doesNotMatch(command, /chromium/);
  });

  it('names all packages if the system knows none', async () => {
    assert.match(await commandFor('nothing'), / chromium-headless-shell sox$/);
  });

  it('names all packages on a system without apt-cache', async () => {
    const command = await withEnvironment({ PATH: folder() }, async () => installCommand(['sox']));
    assert.match(command, / sox$/);
  });
});
