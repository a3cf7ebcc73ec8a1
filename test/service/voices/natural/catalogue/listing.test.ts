import assert from 'node:assert/strict';
import { readListing } from '../../../../../service/voices/natural/catalogue/listing.js';
import { entryOfListing as entry } from './support.js';

const read = (listing: unknown) => readListing(Buffer.from(JSON.stringify(listing)));

describe('a listing of the voice repository', () => {
  it('becomes speakers, sizes and digests by name', () => {
    const { voices, invalid } = read({ 'de_DE-stub-medium': entry('de_DE-stub-medium', { speakers: 3 }) });
    assert.deepEqual(Object.keys(voices), ['de_DE-stub-medium']);
    assert.equal(voices['de_DE-stub-medium']?.speakers, 3);
    assert.deepEqual(
      voices['de_DE-stub-medium'].files.map(({ bytes }) => bytes),
      [60_000_000, 5000, 300],
    );
    assert.deepEqual(invalid, []);
  });

  it('contains voices in languages that the interface lacks', () => {
    const names = ['de_DE-stub-medium', 'ka_GE-natia-medium'];
    const { voices } = read(Object.fromEntries(names.map((name) => [name, entry(name)])));
    assert.deepEqual(Object.keys(voices), names);
  });

  it('skips names of another form', () => {
    const { voices } = read({ 'de_DE-a-low': entry('de_DE-a-low'), 'haw_US-a-low': {}, stub: {} });
    assert.deepEqual(Object.keys(voices), ['de_DE-a-low']);
  });

  const good = { 'de_DE-a-low': entry('de_DE-a-low'), 'de_DE-b-low': entry('de_DE-b-low') };
  const bad: Array<[string, unknown]> = [
    ['without files', { ...entry('de_DE-c-low'), files: {} }],
    ['with the paths of another voice', entry('de_DE-a-low')],
    [
      'with a path outside its folder',
      { num_speakers: 1, files: { '../../etc/passwd': { size_bytes: 1, md5_digest: '0'.repeat(32) } } },
    ],
    [
      'with a digest of another form',
      JSON.parse(JSON.stringify(entry('de_DE-c-low')).replaceAll(/[0-9a-f]{32}/g, 'none')),
    ],
    ['with a size of 0', JSON.parse(JSON.stringify(entry('de_DE-c-low')).replaceAll('5000', '0'))],
    [
      'with a size of a terabyte',
      JSON.parse(JSON.stringify(entry('de_DE-c-low')).replaceAll('60000000', '1000000000000')),
    ],
    ['with no speaker', { ...entry('de_DE-c-low'), num_speakers: 0 }],
    ['that is null', null],
  ];
  for (const [title, value] of bad) {
    it(`leaves out an entry ${title}, and names it`, () => {
      const { voices, invalid } = read({ ...good, 'de_DE-c-low': value });
      assert.deepEqual([Object.keys(voices), invalid], [Object.keys(good), ['de_DE-c-low']]);
    });
  }

  it('is refused if most of its entries are invalid', () => {
    assert.throws(() => read({ 'de_DE-a-low': entry('de_DE-a-low'), 'de_DE-b-low': 1, 'de_DE-c-low': 2 }), {
      kind: 'invalid',
      message: /^voices\.json: de_DE-b-low and others are invalid\. The present catalogue remains\./,
    });
  });

  it('is refused if it is another file', () => {
    for (const text of ['<html></html>', '[]', '{}', 'null', '"voices"', '{"de_DE-a-low":', '\uFFFD']) {
      assert.throws(() => readListing(Buffer.from(text)), { kind: 'invalid' }, text);
    }
    assert.throws(() => readListing(Buffer.from([0xff, 0xfe, 0x00])), { kind: 'invalid' });
  });
});
