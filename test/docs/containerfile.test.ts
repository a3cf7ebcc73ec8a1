import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageVersion } from '../../service/kit/package-version.js';

const text = readFileSync(path.join(__dirname, '../../docs/Containerfile'), 'utf8');
const instructions = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('the Containerfile', () => {
  it('pins the base image to one release of Node.js and Debian, and the package to the version of this repository', () => {
    const argumentsOf = instructions.flatMap((line) => /^ARG (\w+)=(.*)$/.exec(line)?.slice(1) ?? []);
    const [name, node = '', ...rest] = argumentsOf;
    assert.equal(name, 'NODE');
    assert.match(node, /^\d+\.\d+\.\d+-[a-z]+-slim(?:@sha256:[0-9a-f]{64})?$/);
    assert.deepEqual(rest, ['HERALD', packageVersion()]);
  });

  it('uses no other image and no other package', () => {
    const sources = instructions.filter((line) => /^FROM|npm install/.test(line));
    assert.equal(sources.length, 2);
    assert.match(sources[0] ?? '', /node:\$\{NODE\}$/);
    assert.match(sources[1] ?? '', /@herald-speech\/local-service@\$\{HERALD\}$/);
  });
});
