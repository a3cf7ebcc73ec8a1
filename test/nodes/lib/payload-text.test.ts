import assert from 'node:assert/strict';
import path from 'node:path';
import { kindOfPayload } from '../../../nodes/lib/payload-text.js';

/** A file of this computer. */
const FILE = __filename;
const folder = (root: string, place: string) => ({ httpStatic: [{ path: place, root }] });

describe('a path in the payload of the listen node', () => {
  it('is one of the web server, unless this computer has a file with this path', () => {
    assert.equal(kindOfPayload('/herald/audio/1.wav', {}), 'url');
    assert.equal(kindOfPayload(`${FILE}.missing`, {}), 'url');
    assert.equal(kindOfPayload(path.dirname(FILE), {}), 'url');
    assert.equal(kindOfPayload(FILE, {}), 'file');
  });

  it('is one of the web server if Node-RED serves the file at this path', () => {
    const here = path.dirname(FILE);
    assert.equal(kindOfPayload(FILE, folder(here, here)), 'url');
    assert.equal(kindOfPayload(FILE, folder('/', '/')), 'url');
    assert.equal(kindOfPayload(FILE, folder('/', here)), 'file');
    assert.equal(kindOfPayload(FILE, folder('/sounds', here)), 'file');
    assert.equal(kindOfPayload(FILE, { httpStatic: false }), 'file');
  });

  it('is not in a sentence or in an address with another scheme', () => {
    for (const text of [
      'hello',
      'Dinner is ready.',
      'ftp://nas/a.wav',
      'data:audio/wav;base64,AAAA',
      '//nas/a.wav',
    ])
      assert.equal(kindOfPayload(text, {}), 'other', text);
  });
});
