import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { plainText } from '../../../client/text/plain-text.js';

/** Texts with markup or emoji, and the remaining text. */
const cases: [text: string, plain: string, removed: string][] = [
  ['<speak>Hello <break time="1s"/><prosody rate="slow">you</prosody>.</speak>', 'Hello\nyou.', 'markup'],
  ['<p>One</p><p>Two</p>', 'One\n\nTwo', 'markup'],
  ['The door is <b class="x">open</b>.<br/>Close it.', 'The door is open.\nClose it.', 'markup'],
  ['Hi<!-- hidden --> there<script>alert(1)</script>', 'Hi there', 'markup'],
  ['<mstts:express-as style="sad">No.</mstts:express-as>', 'No.', 'markup'],
  ['Tom &amp; Jerry: 5 &#8364; &#x2F; 6 &lt; 7', 'Tom & Jerry: 5 € / 6 < 7', 'markup'],
  ['**Alarm:** the *door* is __open__ at `7:05`.', 'Alarm: the door is open at 7:05.', 'markup'],
  ['***Stop*** ~~now~~ **a *b* c**', 'Stop now a b c', 'markup'],
  ['# News\n\n- [Rain](https://example.com/a_b)\n- ![Sun](sun.png "x")', 'News\n\nRain\n\nSun', 'markup'],
  ['# News\nIt rains.\n- milk\n- eggs\n\nEnd', 'News\n\nIt rains.\n\nmilk\n\neggs\n\nEnd', 'markup'],
  ['| Hall | 21 |\n| Door | open |', 'Hall, 21\n\nDoor, open', 'markup'],
  ['```sh\nrun\n```', 'run', 'markup'],
  ['~~~\nrun\n~~~\nnow', 'run\n\nnow', 'markup'],
  ['```A', 'A', 'markup'],
  ['Hello\n```world again', 'Hello\nworld again', 'markup'],
  ['```\nrun', 'run', 'markup'],
  ['> Quoted\n\n---\n\nEnd', 'Quoted\n\nEnd', 'markup'],
  ['| Room | °C |\n|------|---:|\n| Hall | 21 |', 'Room, °C\n\nHall, 21', 'markup'],
  ['Good morning ☀️ 👨‍👩‍👧 👍🏽🇩🇪!', 'Good morning !', 'emoji'],
  ['Press 1️⃣ or #️⃣', 'Press 1 or #', 'emoji'],
  ['I ❤ **you** 😀', 'I you', 'markup,emoji'],
];

/** Texts without markup. */
const plain = [
  '5 < 7 and 9 > 3, x<y and y>z',
  'if a <b and c> d',
  '2*3*4 = 24, 2 * 3 * 4 = 24, 5 ** 2',
  'snake_case_name and __ and _',
  'https://example.com/a_b_c?x=1&y=2#z',
  '-3 °C\n- 5 eggs\n+ 2',
  '> 20 °C',
  'AT&T, R&D; a & b',
  'No. 1 (one) [two] {three} #4',
  'Price: 5 $, 10 %, ©2026, ™, ↔, ~5 min, 7:05',
  'می‌خواهم',
  '5  spaces',
];

describe('plainText', () => {
  for (const [text, expected, removed] of cases) {
    it(`removes ${removed} from ${JSON.stringify(text)}`, () => {
      assert.deepEqual(plainText(text), { text: expected, removed: removed.split(',') });
    });
  }

  for (const text of plain) {
    it(`does not change ${JSON.stringify(text)}`, () => {
      assert.deepEqual(plainText(text), { text, removed: [] });
    });
  }

  it('keeps letters and digits outside tags, in order, and cuts no character', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.stringMatching(/^[\p{L}\p{N} .,!?*_`#>\n-]{1,20}$/u),
            fc.constantFrom('<b>', '</b>', '<br/>', '😀', '👍🏽'),
          ),
        ),
        (pieces) => {
          const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
          const words = pieces.filter((piece) => !piece.startsWith('<')).join('');
          // The word after the start of a block of code names its language.
          fc.pre(!/```[^]*```/.test(pieces.join('')));
          const { text } = plainText(pieces.join(''));
          assert.equal(letters(text), letters(words));
          assert.doesNotMatch(text, /\p{Surrogate}/u);
        },
      ),
    ));

  it('returns any text without markup characters unchanged', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N} .,;:!?'"()%€$/+=-]*$/u), (text) => {
        // A dash or a plus at the start is the mark of a list, and a line of dashes is a rule.
        fc.pre(!/^ *(?:[-+] |(?:- *){3,}$)/.test(text));
        assert.deepEqual(plainText(text), { text, removed: [] });
      }),
    ));
});
