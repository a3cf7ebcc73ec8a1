import assert from 'node:assert/strict';
import {
  getVoice,
  getCredits,
  listVoices,
  predictDuration,
  searchVoices,
} from '../../../client/interface/operations.js';
import { answerFrom, type ListedVoice } from '../../../client/upstreams/local-answers.js';
import { rejection } from '../../support/rejection.js';

const voices: ListedVoice[] = [
  { voice_id: 'alloy', name: 'Alloy' },
  { voice_id: 'anna', name: 'Anna Blume', language: ['de'], gender: 'female', locale: 'de-DE' },
  {
    voice_id: 'bob',
    name: 'Bob',
    language: ['en'],
    gender: 'male',
    description: 'A calm voice of the north',
  },
  { voice_id: 'duo', name: 'Duo', language: ['en', 'de'], gender: 'female' },
];

const known = async () => voices;
/** Lists more voices than one page has. */
const many = async () => Array.from({ length: 25 }, (_, index): ListedVoice => ({ voice_id: `v${index}` }));
const unneeded = async () => assert.fail('the list of voices is not needed');

/** Returns the ids of the voices that a search finds. */
async function found(filters: Record<string, unknown>): Promise<string[]> {
  const answer = await answerFrom(searchVoices, filters, known);
  return (answer?.value.items ?? []).map(({ voice_id }) => voice_id);
}

describe('a list of voices as the answer of a service', () => {
  it('describes a voice without a guess: a field that the service lacks is blank', async () => {
    const answer = await answerFrom(getVoice, { voice_id: 'alloy' }, known);
    const { voice_id, name, language, gender, age, styles, models } = answer?.value ?? {};
    assert.deepEqual(
      [voice_id, name, language, gender, age, styles, models],
      ['alloy', 'Alloy', [], '', '', [], []],
    );
  });

  it('has no voice of another id', async () => {
    const error = await rejection(answerFrom(getVoice, { voice_id: 'nobody' }, known));
    assert.equal(error.code, 'not-found');
    assert.match(error.message, /^voice_id "nobody": the service has no such voice/);
  });

  it('pages in order, and ends', async () => {
    const ids: string[] = [];
    let token: string | undefined;
    do {
      const request = { page_size: 10, ...(token !== undefined && { next_page_token: token }) };
      const page = (await answerFrom(listVoices, request, many))?.value;
      assert.equal(page?.total, 25);
      ids.push(...(page?.items ?? []).map(({ voice_id }) => voice_id));
      token = page?.next_page_token ?? undefined;
    } while (token !== undefined);
    assert.deepEqual(
      ids,
      (await many()).map(({ voice_id }) => voice_id),
    );
  });

  it('has no next page after a page that ends with the last voice', async () => {
    const page = (await answerFrom(listVoices, { page_size: 25 }, many))?.value;
    assert.deepEqual([page?.items.length, page?.next_page_token], [25, undefined]);
  });

  it('refuses a page token that it has not given', async () => {
    for (const token of ['abc', '-1', '1.5', '1e3', '9'.repeat(20)]) {
      const error = await rejection(answerFrom(listVoices, { next_page_token: token }, known));
      assert.equal(error.code, 'bad-request');
      assert.match(error.message, /^next_page_token is "/);
    }
  });

  it('finds by language, with any region; a voice of unknown languages speaks any language', async () => {
    assert.deepEqual(await found({ language: 'de' }), ['alloy', 'anna', 'duo']);
    assert.deepEqual(await found({ language: 'EN-gb' }), ['alloy', 'bob', 'duo']);
    assert.deepEqual(await found({ language: 'fr, de' }), ['alloy', 'anna', 'duo']);
    assert.deepEqual(await found({ language: 'fil' }), ['alloy']);
  });

  it('finds by gender and by words of the name and the description', async () => {
    assert.deepEqual(await found({ gender: 'Female' }), ['anna', 'duo']);
    assert.deepEqual(await found({ gender: 'male,female', language: 'en' }), ['bob', 'duo']);
    assert.deepEqual(await found({ name: 'blume  anna' }), ['anna']);
    assert.deepEqual(await found({ description: ' calm north' }), ['bob']);
  });

  it('finds no voice by a field without a value, and every voice by a blank filter', async () => {
    for (const filter of ['age', 'use_case', 'use_cases', 'style', 'model'])
      assert.deepEqual(await found({ [filter]: 'x' }), [], filter);
    assert.equal((await found({ age: ' ', language: '' })).length, 4);
  });

  it('passes the failure of the service on', async () => {
    const failed = answerFrom(listVoices, {}, async () => Promise.reject(new TypeError('no list')));
    await assert.rejects(failed, /no list/);
  });

  it('answers no other operation', async () =>
    assert.equal(await answerFrom(getCredits, {}, unneeded), undefined));
});

/** Returns the estimated seconds of a text. */
async function seconds(text: string, voice_settings = {}): Promise<number> {
  const answer = await answerFrom(predictDuration, { text, voice_settings }, unneeded);
  assert.equal(answer?.value['estimated'], true);
  return answer.value.duration;
}

describe('an estimated duration', () => {
  const text = 'The next train leaves in twenty minutes.';

  it('grows with the text, and is marked as an estimate', async () => {
    const once = await seconds(text);
    assert.ok(once > 1 && once < 6, `${once} s`);
    assert.ok(Math.abs((await seconds(text.repeat(3))) - 3 * once) < 1e-9);
  });

  it('follows the speed, and a duration that the request sets', async () => {
    assert.equal(await seconds(text, { speed: 2 }), (await seconds(text)) / 2);
    assert.equal(await seconds(text, { speed: 2, duration: 7 }), 7);
  });

  it('takes longer for a character of Chinese, Japanese or Korean than for a letter', async () => {
    const letter = (await seconds('a'.repeat(100))) / 100;
    for (const characters of ['国', 'あ', 'ア', '한'])
      assert.ok((await seconds(characters.repeat(100))) / 100 > 1.3 * letter, characters);
  });

  it('counts a character outside the basic plane once', async () =>
    assert.equal(await seconds('𠀀'.repeat(10)), await seconds('国'.repeat(10))));
});
