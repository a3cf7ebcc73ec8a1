import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { writeOwner } from '../../scripts/owner.mjs';

const root = path.join(__dirname, '../..');
const FILES = [
  'package.json',
  'client/package.json',
  'audio/package.json',
  'service/package.json',
  'fleet/package.json',
  'neural/package.json',
  'speakers/package.json',
];
const CONTACT = 'mailto:security@example.org';
const REPOSITORY = 'https://git.example.org/speech/herald';

const manifest = z.object({
  homepage: z.string(),
  bugs: z.object({ url: z.string() }),
  repository: z.object({ type: z.literal('git'), url: z.string(), directory: z.string().optional() }),
});

describe('the fields of the owner', () => {
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(path.join(os.tmpdir(), 'herald-owner-'));
    for (const file of [...FILES, 'SECURITY.md']) cpSync(path.join(root, file), path.join(copy, file));
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  const read = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8');

  it('adds the contact to SECURITY.md, and removes it again', () => {
    const original = read(root, 'SECURITY.md');
    writeOwner(copy, REPOSITORY, CONTACT);
    assert.match(read(copy, 'SECURITY.md'), /^Contact: mailto:security@example\.org$/m);
    writeOwner(copy);
    assert.equal(read(copy, 'SECURITY.md'), original);
  });

  it('adds repository, issue tracker and home page to each package', () => {
    writeOwner(copy, REPOSITORY);
    const directories = FILES.map((file) => {
      const { homepage, bugs, repository } = manifest.parse(JSON.parse(read(copy, file)));
      assert.equal(homepage, `${REPOSITORY}#readme`);
      assert.equal(bugs.url, `${REPOSITORY}/issues`);
      assert.equal(repository.url, `git+${REPOSITORY}.git`);
      return repository.directory;
    });
    assert.deepEqual(directories, [undefined, 'client', 'audio', 'service', 'fleet', 'neural', 'speakers']);
  });

  it('leaves the packages of the checkout unchanged, because the build has written the fields', () => {
    writeOwner(copy);
    for (const file of FILES) assert.equal(read(copy, file), read(root, file));
  });

  it('removes the fields without an address', () => {
    writeOwner(copy, '');
    const blank = FILES.map((file) => read(copy, file));
    writeOwner(copy, REPOSITORY);
    writeOwner(copy, '');
    assert.deepEqual(
      FILES.map((file) => read(copy, file)),
      blank,
    );
    assert.doesNotMatch(blank.join(), /"(homepage|bugs|repository)"/);
  });
});
