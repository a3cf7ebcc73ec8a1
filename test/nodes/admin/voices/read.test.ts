import assert from 'node:assert/strict';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';
import { ask, failureOf } from '../asking.js';

const text = 'Code <say-as interpret-as="digits">42</say-as> at 14:30, Dr. Who.';

describe('the endpoint of the words of a text', () => {
  const nodeRed = useNodeRed();

  const read = async (typed: object, more: object = {}) =>
    (await ask(nodeRed().url, 'read', { typed, text, language: 'en', ...more })).json;

  it('replies with the words for the local service, and for a hosted service that gets words', async () => {
    const words = { text: 'Code forty-two at fourteen thirty, doctor Who.' };
    assert.deepEqual(await read({ service: 'local' }), words);
    assert.deepEqual(await read({ service: 'hosted', figuresAsWords: 'true' }), words);
  });

  it('replies with nothing for a service that reads figures for itself', async () => {
    for (const figuresAsWords of ['false', '']) {
      assert.deepEqual(await read({ service: 'hosted', figuresAsWords }), {});
    }
  });

  it('follows the language, the markup and the pronunciations', async () => {
    const local = { service: 'local' };
    const pronunciations = [{ word: 'Who', replacement: 'Hu' }];
    assert.deepEqual(await read(local, { markup: 'read', pronunciations }), {
      text: 'Code four two at fourteen thirty, doctor Hu.',
    });
    assert.deepEqual(await read(local, { language: 'de', text: 'Um 14:30 Uhr.' }), {
      text: 'Um vierzehn Uhr dreißig.',
    });
  });

  it('refuses a text that "Try it" cannot speak', async () => {
    const answer = await ask(nodeRed().url, 'read', { typed: {}, text: '1'.repeat(301), language: 'en' });
    assert.equal(answer.status, 400);
    assert.match(failureOf(answer).message, /text/);
  });
});
