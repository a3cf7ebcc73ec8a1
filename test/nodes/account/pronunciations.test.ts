import assert from 'node:assert/strict';
import { withHostedFlow } from '../../support/node-red/flow.js';
import { rejection } from '../../support/rejection.js';
import { spoken } from '../../support/net/scripted-server.js';
import { isSpeech, speakWith } from './spoken.js';

/** Speaks a text with saved pronunciations, and returns the sent text. */
async function sent(saved: unknown, text: string, pronunciations?: { word: string; replacement: string }[]) {
  let received = '';
  await withHostedFlow(
    (request) => {
      if (isSpeech(request)) received = String(request.json['text']);
      return spoken();
    },
    [],
    async (flow) => {
      await speakWith(flow, { text, language: 'en' }, { pronunciations });
    },
    { account: { pronunciations: saved } },
  );
  return received;
}

const SQL = { word: 'SQL', replacement: 'sequel' };

describe('the pronunciations of an account', () => {
  it('replace words in the sent text', async () => {
    assert.equal(await sent([SQL], 'Use SQL now.'), 'Use sequel now.');
  });

  it('apply to their language only', async () => {
    assert.equal(await sent([{ ...SQL, language: 'de' }], 'Use SQL now.'), 'Use SQL now.');
  });

  it('give way to an entry of the message for the same word, and stay for other words', async () => {
    const message = [{ word: 'SQL', replacement: 'S Q L' }];
    const saved = [SQL, { word: 'GIF', replacement: 'jif' }];
    assert.equal(await sent(saved, 'SQL and GIF.', message), 'S Q L and jif.');
  });

  it('give way to an entry of the message without a language', async () => {
    const message = [{ word: 'sql', replacement: 'S Q L' }];
    assert.equal(await sent([{ ...SQL, language: 'en' }], 'Use SQL.', message), 'Use S Q L.');
  });

  it('may have blank rows', async () => {
    assert.equal(await sent([{ word: '', replacement: '', language: '' }, SQL], 'Use SQL.'), 'Use sequel.');
  });

  const invalid: [saved: unknown, says: RegExp][] = [
    [
      [SQL, { word: 'GIF', replacement: ' ' }],
      /^account: row 2 of the pronunciations: replacement is " ": expected a word/,
    ],
    [[{ word: 7, replacement: 'x' }], /^account: row 1 of the pronunciations: word is 7/],
    [
      [SQL, SQL, { ...SQL, language: 'german' }],
      /row 3 of the pronunciations: language is "german": expected a two-letter/,
    ],
    ['SQL', /^account: pronunciations is "SQL"/],
  ];
  for (const [saved, says] of invalid) {
    it(`fail each message with the number of the row if they are invalid: ${JSON.stringify(saved)}`, () =>
      withHostedFlow(
        () => spoken(),
        [],
        async (flow, { requests }) => {
          const error = await rejection(speakWith(flow));
          assert.equal(error.code, 'not-configured');
          assert.match(error.message, says);
          assert.deepEqual(requests, []);
        },
        { account: { pronunciations: saved } },
      ));
  }
});
