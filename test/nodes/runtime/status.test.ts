import assert from 'node:assert/strict';
import { failures, SpeechError } from '@herald-speech/client';
import * as fc from 'fast-check';
import { MAX_WAITING } from '../../../nodes/runtime/queue/queue.js';
import type { Translator } from '../../../nodes/runtime/localize.js';
import { createStatus, type StatusBoard } from '../../../nodes/runtime/status.js';
import type { JobActivity } from '../../../nodes/runtime/status-texts.js';
import { languages, translatorFor } from '../../support/node-red/runtime-texts.js';

const codes = Object.keys(failures).filter((code): code is keyof typeof failures => code in failures);

/** A Node-RED without translations. */
const english = { _: (key: string) => key };

/** The status texts that `use` causes, with this number of queued messages. */
function shown(
  waiting: number | (() => number),
  use: (status: StatusBoard) => void,
  translator: Translator = english,
): string[] {
  const texts: string[] = [];
  const node = {
    status: (status: string | { text?: string | undefined }) => {
      texts.push(typeof status === 'string' ? status : (status.text ?? ''));
    },
  };
  use(createStatus(node, translator, typeof waiting === 'number' ? () => waiting : waiting));
  return texts;
}

const activity: fc.Arbitrary<JobActivity> = fc.oneof(
  fc.constantFrom<JobActivity>({ state: 'queued' }, { state: 'sending' }),
  fc.double({ min: 0, max: 600, noNaN: true }).map((seconds): JobActivity => ({ state: 'waiting', seconds })),
  fc
    .tuple(fc.nat(400), fc.nat(400))
    .map(([a, b]): JobActivity => ({ state: 'speaking', done: Math.min(a, b), count: Math.max(a, b, 1) })),
);

describe('createStatus', () => {
  it('shows audio that was spoken without the fleet of the account as a yellow ring', () => {
    const shown: unknown[] = [];
    const node = { status: (status: unknown) => void shown.push(status) };
    const status = createStatus(node, english, () => 0);
    status.done({ seconds: 3.21, isCached: true, isApart: true });
    status.done({ seconds: 3.21, isCached: true, isApart: false });
    assert.deepEqual(shown, [
      { fill: 'yellow', shape: 'ring', text: 'No Redis, 3.2 s' },
      { fill: 'green', shape: 'dot', text: 'Cached, 3.2 s' },
    ]);
  });

  it('shows the files of a run with a word in each language, and a table without work', async () => {
    const use = (status: StatusBoard) => {
      status.progress({ state: 'rows', done: 0, count: 1 });
      status.done({ done: 1, count: 1 });
      status.done({ done: 0, count: 0 });
    };
    assert.deepEqual(shown(0, use), ['Files: 0/1', 'Files done: 1/1', 'All up to date']);
    for (const language of languages) {
      const texts = shown(0, use, await translatorFor(language));
      assert.equal(texts.length, 3);
      for (const text of texts) assert.match(text, /\p{L}{2}/u);
    }
  });

  it('shows the fallback that spoke as a yellow ring, also if the audio came from the cache', async () => {
    const use = (status: StatusBoard) => {
      status.done({ seconds: 3, isCached: true, fallback: 'local' });
      status.done({ seconds: 3, fallback: 'Kitchen' });
      status.done({ seconds: 3, fallback: 'the second account of the whole house' });
    };
    assert.deepEqual(shown(0, use), ['Local service, 3.0 s', 'Kitchen, 3.0 s', 'Fallback, 3.0 s']);
    assert.deepEqual(shown(0, use, await translatorFor('de')), [
      'Lokaler Dienst, 3,0 s',
      'Kitchen, 3,0 s',
      'Ersatz, 3,0 s',
    ]);
  });

  it('names the fallback that spoke also if players cannot reach the URL', async () => {
    const use = (status: StatusBoard) => {
      status.done({ seconds: 3, isUnreachable: true });
      status.done({ seconds: 3, isUnreachable: true, fallback: 'local' });
      status.done({ seconds: 3, isUnreachable: true, fallback: 'Kitchen' });
      status.done({ seconds: 3, isUnreachable: true, fallback: 'the account of the whole house' });
    };
    assert.deepEqual(shown(0, use), [
      'Check Base URL, 3.0 s',
      'Local service, URL unreachable',
      'Kitchen, URL unreachable',
      'Fallback, URL unreachable',
    ]);
    for (const language of languages) {
      const translator = await translatorFor(language);
      const [, local = '', , other] = shown(0, use, translator);
      const [spoken = ''] = shown(0, (status) => status.done({ seconds: 3, fallback: 'local' }), translator);
      assert.equal(local.split(/[,、]/)[0], spoken.split(/[,、]/)[0], language);
      assert.ok(local.length <= 32 && local !== other, local);
    }
  });

  it('shows seconds with the decimal sign of the language', async () => {
    const use = (status: StatusBoard) => {
      status.done({ seconds: 3.21 });
      status.done({ seconds: 1234.56, isCached: true });
    };
    assert.deepEqual(shown(0, use), ['Done, 3.2 s', 'Cached, 1234.6 s']);
    assert.deepEqual(shown(0, use, await translatorFor('de')), ['Fertig, 3,2 s', 'Aus Cache, 1234,6 s']);
    assert.deepEqual(shown(0, use, await translatorFor('es')), ['Listo, 3,2 s', 'En caché, 1234,6 s']);
  });

  for (const language of ['en-US', ...languages]) {
    it(`keeps every text under 20 characters in ${language}`, async () => {
      const translator = language === 'en-US' ? english : await translatorFor(language);
      fc.assert(
        fc.property(fc.nat(MAX_WAITING), activity, fc.constantFrom(...codes), (waiting, doing, code) => {
          const use = (status: StatusBoard) => {
            status.progress(doing);
            status.refresh();
            status.failed(new SpeechError(code, 'failed'));
            status.done();
            status.done({ seconds: waiting * 7.31 });
            status.done({ seconds: waiting * 7.31, isCached: true });
            status.clear();
          };
          assert.deepEqual(
            shown(waiting, use, translator).filter(({ length }) => length >= 20),
            [],
          );
        }),
      );
    });
  }

  for (const language of languages) {
    it(`keeps the number of queued messages in ${language}`, async () => {
      const use = (status: StatusBoard) => {
        status.progress({ state: 'queued' });
        status.progress({ state: 'sending' });
        status.progress({ state: 'speaking', done: 99, count: 167 });
      };
      const texts = shown(MAX_WAITING, use, await translatorFor(language));
      assert.deepEqual(
        texts.filter((text) => !text.endsWith(` +${MAX_WAITING}`)),
        [],
      );
    });
  }

  it('shows the texts in the language of Node-RED', async () => {
    const use = (status: StatusBoard) => {
      status.progress({ state: 'waiting', seconds: 11.2 });
      status.progress({ state: 'speaking', done: 1, count: 5 });
      status.failed(new SpeechError('not-found', 'failed'));
    };
    assert.deepEqual(shown(2, use, await translatorFor('de')), [
      'Wartet 12 s +2',
      'Spricht 2/5 +2',
      'Nicht gefunden',
    ]);
  });

  it('adds the number of queued messages', () => {
    assert.deepEqual(
      shown(3, (status) => status.progress({ state: 'speaking', done: 1, count: 5 })),
      ['Speaking 2/5 +3'],
    );
    assert.deepEqual(
      shown(3, (status) => status.progress({ state: 'waiting', seconds: 11.2 })),
      ['Waiting 12 s +3'],
    );
  });

  it('updates the number when a message is queued', () => {
    let waiting = 0;
    const texts = shown(
      () => waiting,
      (status) => {
        status.progress({ state: 'speaking', done: 0, count: 2 });
        waiting = 1;
        status.refresh();
      },
    );
    assert.deepEqual(texts, ['Speaking 1/2', 'Speaking 1/2 +1']);
  });

  it('drops the word "Speaking" if the text would be too long with the number', () => {
    assert.deepEqual(
      shown(1000, (status) => status.progress({ state: 'speaking', done: 99, count: 167 })),
      ['100/167 +1000'],
    );
  });

  it('keeps a failure on refresh while no message waits', () => {
    assert.deepEqual(
      shown(0, (status) => {
        status.failed(new SpeechError('out-of-credits', 'failed'));
        status.refresh();
      }),
      ['No credits'],
    );
  });

  it('replaces a failure by the next message, without mixing both', () => {
    let waiting = 0;
    const texts = shown(
      () => waiting,
      (status) => {
        status.failed(new SpeechError('bad-request', 'failed'));
        waiting = 1;
        status.refresh();
      },
    );
    assert.deepEqual(texts, ['Invalid request', 'Queued +1']);
  });

  it('shows that all of the audio came from the cache', () => {
    const use = (status: StatusBoard) => status.done({ seconds: 4.83, isCached: true });
    assert.deepEqual(shown(0, use), ['Cached, 4.8 s']);
  });

  it('shows the seconds of the audio until the next message', async () => {
    const use = (status: StatusBoard) => {
      status.done({ seconds: 4.83 });
      status.progress({ state: 'speaking', done: 0, count: 1 });
    };
    assert.deepEqual(shown(0, use), ['Done, 4.8 s', 'Speaking']);
    assert.deepEqual(shown(0, use, await translatorFor('de')), ['Fertig, 4,8 s', 'Spricht']);
  });

  for (const language of ['en-US', ...languages]) {
    it(`names every failure in ${language} by a short text of its own`, async () => {
      const translator = language === 'en-US' ? english : await translatorFor(language);
      const texts = codes.flatMap((code) =>
        shown(0, (status) => status.failed(new SpeechError(code, 'failed')), translator),
      );
      assert.equal(new Set(texts).size, codes.length);
      assert.deepEqual(
        texts.filter((text) => text.length >= 20 || codes.some((code) => code === text)),
        [],
      );
    });
  }

  it('sets nothing on refresh before the first status', () => {
    assert.deepEqual(
      shown(0, (status) => status.refresh()),
      [],
    );
  });
});
