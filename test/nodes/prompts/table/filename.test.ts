import assert from 'node:assert/strict';
import path from 'node:path';
import * as fc from 'fast-check';
import { readFileName } from '../../../../nodes/prompts/table/filename.js';
import { anyText } from '../../../support/any-text.js';

const ruleOf = (name: string) => readFileName(name, 'wav').rule?.english ?? 'valid';

describe('readFileName', () => {
  it('returns a path with "/" in the form NFC, and adds the extension', () => {
    const paths = {
      menu: 'menu.wav',
      ' ./a\\b//c ': 'a/b/c.wav',
      'cafe\u0301.WAV': 'caf\u00e9.WAV',
      'x.y z': 'x.y z.wav',
    };
    for (const [name, expected] of Object.entries(paths))
      assert.equal(readFileName(name, 'wav').path, expected);
    assert.equal(readFileName('menu.mp3', undefined).path, 'menu.mp3');
  });

  it('rejects paths outside the folder', () => {
    for (const name of ['/etc/passwd', 'C:\\x', 'c:x', '\\\\server\\share', '~/x', './~/x', './ /x'])
      assert.match(ruleOf(name), /inside the folder: remove the drive, "\/" or "~\/" at the start/);
    for (const name of ['../x', 'a/../../x', '..\\x', '..', 'a/..'])
      assert.match(ruleOf(name), /must not be "\.\."/);
  });

  it('rejects names that a file system or Herald reserves', () => {
    for (const name of ['.herald-prompts.jsonl', 'a/.herald-x', '.\\ ..', './ .x', '.hidden', '...'])
      assert.match(ruleOf(name), /with a dot/);
    for (const name of ['con', 'a/NUL.wav', 'com1.wav', 'Aux .wav', 'lpt\u00b2', 'prn/a'])
      assert.match(ruleOf(name), /device on Windows/);
    for (const name of ['a/', 'a./b', 'a /b']) assert.match(ruleOf(name), /must not end/);
    for (const [name, shown] of [
      ['a\u0000b', 'U\\+0000'],
      ['a\u202eb', 'U\\+202E'],
      ['a?b', '\\?'],
      ['a\ud800', 'U\\+D800'],
    ] as const)
      assert.match(ruleOf(name), new RegExp(`the character ${shown} is not allowed`));
  });

  it('limits a name to 255 bytes and a path to 1,000 bytes, with the extension', () => {
    assert.equal(ruleOf('x'.repeat(251)), 'valid');
    assert.match(ruleOf('x'.repeat(252)), /at most 255 bytes/);
    assert.match(ruleOf('\u00fc'.repeat(126)), /at most 255 bytes/);
    assert.match(ruleOf(`${'x'.repeat(100)}/`.repeat(10) + 'y'), /at most 1000 bytes/);
  });

  it('never returns a path outside the folder or with a hidden name, for any input', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      ':',
      'C:',
      ' ',
      'a',
      'con',
      '\u0000',
      '%2e',
      '\uff0e',
      '\u2024',
      '~',
      '.wav',
      '\ufeff',
    );
    const name = fc.oneof(
      fc.array(part).map((parts) => parts.join('')),
      anyText(),
    );
    fc.assert(
      fc.property(name, fc.constantFrom('wav', undefined), (given, extension) => {
        const { path: found } = readFileName(given, extension);
        if (found === undefined) return;
        assert.ok(path.posix.resolve('/folder', found).startsWith('/folder/'));
        assert.ok(path.win32.resolve('C:\\folder', found).startsWith('C:\\folder\\'));
        assert.ok(found.split('/').every((part) => part !== '' && !part.startsWith('.')));
        assert.ok(extension === undefined || found.toLowerCase().endsWith('.wav'));
        assert.equal(readFileName(found, extension).path, found);
      }),
      { numRuns: 5000 },
    );
  });
});
