import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Caption, captionOf, type Cue, cuesOf, srt, webVtt } from '@herald-speech/audio';
import { tokensOf, widthOf } from '../../audio/captions/tokens.js';
import { startTimes } from '../../audio/captions/word-times.js';

const sign = fc.constantFrom('\n', '\r\n', '-->', '<b>', '&amp;', ' ', '. ', ', ', '駅', 'です。', '역 ');
const word = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z]{1,60}$/), sign);
const text = fc.array(word, { maxLength: 60 }).map((parts) => parts.join(' '));
const captions = fc
  .array(fc.record({ text, duration: fc.double({ min: 0.01, max: 60, noNaN: true }) }), { maxLength: 6 })
  .map((pieces): Caption[] => {
    let end = 3;
    return pieces.map((piece) => {
      const start = end;
      end += piece.duration;
      return { ...piece, start };
    });
  });

const letters = (whole: string) => whole.replaceAll(/[\s\p{Cc}]/gu, '');

describe('cuesOf', () => {
  it('has one or two lines of at most 42 characters and 7 seconds for any texts', () =>
    fc.assert(
      fc.property(captions, (spoken) => {
        for (const { start, end, lines } of cuesOf(spoken)) {
          assert.ok(lines.length === 1 || lines.length === 2);
          assert.ok(
            lines.every((line) => line.trim() !== '' && line.length <= 42),
            lines.join('|'),
          );
          assert.ok(end - start <= 7 + 1e-9);
        }
      }),
    ));

  it('contains all letters in order, with rising times inside each text', () =>
    fc.assert(
      fc.property(captions, (spoken) => {
        const cues = cuesOf(spoken);
        assert.equal(
          letters(cues.flatMap(({ lines }) => lines).join('')),
          letters(spoken.map(({ text }) => text).join('')),
        );
        for (const [index, { start, end }] of cues.entries()) {
          assert.ok(end >= start);
          assert.ok(start >= (cues[index - 1]?.end ?? 0) - 1e-9);
        }
        const last = spoken.at(-1);
        assert.ok((cues.at(-1)?.end ?? 0) <= (last?.start ?? 0) + (last?.duration ?? 0) + 1e-9);
      }),
    ));

  it('keeps a letter that is wider than a line because of its marks', () => {
    const letter = `a${'\u0301'.repeat(60)}`;
    const [cue] = cuesOf([{ text: `${letter} b`, start: 0, duration: 2 }]);
    assert.deepEqual(cue?.lines, [letter]);
  });

  it('prefers the end of a sentence, and lines of similar width', () => {
    const cues = cuesOf([
      {
        text: 'The train to Hamburg leaves from platform nine. Please mind the gap between the train and the platform.',
        start: 10,
        duration: 8,
      },
    ]);
    assert.deepEqual(
      cues.map(({ lines }) => lines),
      [
        ['The train to Hamburg', 'leaves from platform nine.'],
        ['Please mind the gap between', 'the train and the platform.'],
      ],
    );
    assert.equal(cues[0]?.start, 10);
    assert.equal(cues[1]?.end, 18);
  });

  it('breaks Japanese, Chinese and Thai between words, and Korean at spaces', () => {
    const linesOf = (text: string) => cuesOf([{ text, start: 0, duration: 6 }]).flatMap(({ lines }) => lines);
    const japanese = linesOf(
      '次の電車は、まもなく二番線に到着いたします。「危ない」ですから、お下がりください。',
    );
    assert.ok(
      japanese.every((line) => widthOf(line) <= 42 && !/^[、。」]/u.test(line) && !line.endsWith('「')),
      japanese.join('|'),
    );
    assert.ok(japanese.join('').includes('まもなく'));
    assert.ok(
      linesOf('列车即将进站，请站在黄线以内等候，先下后上，注意安全，谢谢您的合作与理解。').length >= 2,
    );
    assert.ok(linesOf('ขอให้ผู้โดยสารทุกท่านโปรดยืนรอหลังเส้นสีเหลืองเพื่อความปลอดภัยขอบคุณค่ะ').length >= 2);
    const korean = linesOf(
      '다음 열차가 곧 2번 승강장에 도착합니다. 위험하니 노란 선 안쪽으로 물러나 주세요.',
    );
    assert.equal(korean.join(' ').split(' ').length, 12);
  });

  it('places words by the phonemes, moved to the place of the part', () => {
    const text =
      'one two. ' +
      'three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
    const count = 60;
    const phonemes = {
      symbols: Array.from({ length: count }, () => 'a'),
      // All phonemes but the first lie in the second half.
      start_times_seconds: Array.from({ length: count }, (_, at) => (at === 0 ? 2 : 5 + at / 20)),
      durations_seconds: Array.from({ length: count }, () => 0.05),
    };
    const cues = cuesOf([captionOf({ piece: { text, start: 2, phonemes }, start: 12, duration: 6 })]);
    assert.equal(cues[0]?.start, 12);
    assert.ok((cues[1]?.start ?? 0) > 15, JSON.stringify(cues));
    const without = cuesOf([{ text, start: 12, duration: 6 }]);
    assert.ok((without[1]?.start ?? 0) < (cues[1]?.start ?? 0));
  });
});

describe('caption files', () => {
  const cues: Cue[] = [
    { start: 0.5, end: 2.25, lines: ['a <b> & c', 'x --> y'] },
    { start: 3661.0004, end: 3662, lines: ['end'] },
  ];

  it('are WebVTT with escaped text', () => {
    assert.equal(
      webVtt(cues),
      'WEBVTT\n\n00:00:00.500 --> 00:00:02.250\na &lt;b&gt; &amp; c\nx --&gt; y\n\n01:01:01.000 --> 01:01:02.000\nend\n',
    );
    assert.equal(webVtt([]), 'WEBVTT\n');
  });

  it('are SRT with numbers and commas', () => {
    assert.equal(
      srt(cues),
      '1\n00:00:00,500 --> 00:00:02,250\na <b> & c\nx → y\n\n2\n01:01:01,000 --> 01:01:02,000\nend\n',
    );
  });
});

/** Phonemes of words separated by spaces. A comma or a full stop is a pause. Each symbol takes 0.1 s. */
function spoken(sounds: string) {
  const symbols = Array.from(`.${sounds}`, (symbol) => (',.'.includes(symbol) ? '' : symbol));
  return {
    symbols,
    start_times_seconds: symbols.map((_symbol, place) => place / 10),
    durations_seconds: symbols.map(() => 0.1),
  };
}

/** Returns the sound at which each word starts, with its place. */
function startsOf(text: string, sounds: string) {
  const duration = (sounds.length + 1) / 10;
  const times = startTimes(tokensOf(text, 42), {
    text,
    start: 3,
    duration,
    offset: 3,
    phonemes: spoken(sounds),
  });
  return times.map((time) => sounds.slice(Math.round((time - 3) * 10) - 1)).map((rest) => rest.slice(0, 2));
}

describe('the words of captions with a natural voice', () => {
  it('start with their first sound', () => {
    const starts = startsOf('The birch canoe slid.', 'ðə bɜtʃ kənu slɪd.');
    assert.deepEqual(starts, ['ðə', 'bɜ', 'kə', 'sl']);
  });

  it('are split by their letters if the voice joins them', () => {
    assert.deepEqual(startsOf('The depth of the well.', 'ðə dɛpθ ʌvðə wɛl.'), ['ðə', 'dɛ', 'ʌv', 'ðə', 'wɛ']);
  });

  it('keep their times behind numbers, which are spoken as several words', () => {
    const starts = startsOf(
      'At 21.5 degrees, 3 birds left; why?',
      'æt twɛnti wʌn pɔint faiv dɡriz,θri bɜdz lɛft,wai.',
    );
    assert.deepEqual(starts, ['æt', 'tw', 'dɡ', 'θr', 'bɜ', 'lɛ', 'wa']);
  });

  it('keep their times behind a dash and an emoji', () => {
    assert.deepEqual(startsOf('Tea – is 🫖 ready.', 'ti,ɪz ɹɛdi.'), ['ti', 'ɪz', 'ɪz', 'ɹɛ', 'ɹɛ']);
  });

  it('have times for any text and any phonemes', () =>
    fc.assert(
      fc.property(text, fc.stringMatching(/^[a-e ,]{0,80}$/), (words, sounds) => {
        const tokens = tokensOf(words, 42);
        const caption = { text: words, start: 1, duration: 9, offset: 1, phonemes: spoken(sounds) };
        const times = startTimes(tokens, caption);
        assert.equal(times.length, tokens.length);
        assert.deepEqual(
          times,
          times.toSorted((one, other) => one - other),
        );
        assert.ok(times.every((time) => time >= 1 && time <= 10));
      }),
    ));
});
