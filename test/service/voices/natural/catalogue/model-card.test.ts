import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  isNonCommercial,
  parseModelCard,
} from '../../../../../service/voices/natural/catalogue/model-card.js';

const read = (text: string | Uint8Array) => parseModelCard(Buffer.from(text), 'de_DE-stub-medium');
const card = (licence: string) =>
  read(
    `# Model card for stub (medium)\n\n* Language: de_DE\n\n## Dataset\n\n* URL: https://example.org/data\n${licence}\n`,
  );

describe('model cards', () => {
  const spellings: Array<[string, string]> = [
    ['* License: CC0', 'CC0'],
    ['* Licence: CC BY 4.0', 'CC BY 4.0'],
    ['- **License:** MIT', 'MIT'],
    ['LICENSE : Public Domain', 'Public Domain'],
    ['* Dataset License: Apache 2.0', 'Apache 2.0'],
    [
      '* License: https://creativecommons.org/licenses/by/4.0/',
      'https://creativecommons.org/licenses/by/4.0/',
    ],
    ['* License: See URL', 'See URL: https://example.org/data'],
  ];
  for (const [line, licence] of spellings) {
    it(`reads the licence from "${line}"`, () => {
      assert.equal(card(line).licence, licence);
    });
  }

  it('reports that a card states no licence', () => {
    assert.equal(card('* Note: the licence is unclear').licence, null);
    assert.equal(card('* License:').licence, null);
    assert.equal(card('* License:\n* Quality: medium').licence, null);
  });

  it('marks licences that forbid commercial use', () => {
    const licences = [
      'CC BY-NC-SA 4.0',
      'cc-by-nc-4.0',
      'https://creativecommons.org/licenses/by-nc/4.0/',
      'Attribution-NonCommercial',
      'for non-commercial use',
      'research only',
      'Non\u2011Commercial use',
      'CC_BY_NC_SA',
      'no commercial use',
      'not for commercial use',
      'commercial use is prohibited',
      'personal use only',
      'research and educational purposes only',
      'nicht-kommerziell',
      'https://www.cstr.ed.ac.uk/projects/blizzard/2013/lessac_blizzard2013/license.html',
    ];
    for (const licence of licences)
      assert.equal(card(`* License: ${licence}`).isNonCommercial, true, licence);
    assert.equal(card('* License: CC BY 4.0\n\nOnly for non-commercial purposes.').isNonCommercial, true);
  });

  it('does not mark licences that allow commercial use', () => {
    for (const licence of [
      'CC0',
      'CC BY 4.0',
      'CC BY-SA 4.0',
      'MIT',
      'Public Domain',
      'Apache 2.0',
      'Unlicense',
      'free for personal and commercial use',
      'commercial use is allowed',
    ]) {
      assert.equal(isNonCommercial(licence), false, licence);
    }
  });

  it('does not mark a voice because another voice was its start', () => {
    const text = '* License: CC0\n\n## Training\n\nFinetuned from the lessac voice (Blizzard).';
    assert.equal(card(text).isNonCommercial, false);
  });

  it('has the digest of the bytes, and removes control characters from the text', () => {
    const bytes = Buffer.from('# Card\r\n\u001B[31m* License: CC0\u0007\r\n');
    const { text, sha256, licence } = read(bytes);
    assert.equal(text, '# Card\n[31m* License: CC0');
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.equal(licence, null);
  });

  it('limits the length of a licence', () => {
    assert.equal(card(`* License: ${'x'.repeat(5000)}`).licence?.length, 500);
  });

  it('rejects web pages and binary data', () => {
    const wrong = [
      Buffer.from('<!DOCTYPE html><html><body>Sign in</body></html>'),
      Buffer.from('  <html lang="en">'),
      Buffer.from([0x08, 0x07, 0x12, 0xff, 0xfe]),
      Buffer.from('text\0text'),
    ];
    for (const bytes of wrong) {
      assert.throws(() => read(bytes), {
        kind: 'invalid',
        message: /^model card of de_DE-stub-medium: expected a text, not /,
      });
    }
  });
});
