import assert from 'node:assert/strict';
import { z } from 'zod';
import { text, textsOf } from '../../../client/base/messages.js';
import { SpeechError } from '../../../client/base/errors.js';
import { checkRequest } from '../../../client/interface/check-request.js';
import { describeIssues, operations } from '../../../client/interface/index.js';

describe('a message', () => {
  it('has its values in the English text, and keeps key and values for a translation', () => {
    assert.deepEqual(text('replied', { status: 503 }), {
      key: 'replied',
      values: { status: 503 },
      english: 'the service replied 503',
    });
  });

  it('contains another message', () => {
    const failure = text('with-code', { failure: text('refused'), code: 'ECONNREFUSED' });
    assert.equal(
      text('proxy', { failure }).english,
      'the proxy: connection refused: nothing listens at this address (ECONNREFUSED)',
    );
  });

  it('shows a value with braces verbatim', () => {
    const say = textsOf({ wrong: '{value} is wrong' });
    assert.equal(say('wrong', { value: '{value} $& {other}' }).english, '{value} $& {other} is wrong');
  });
});

describe('an error', () => {
  it('keeps the text of its message when it gets more context', () => {
    const error = new SpeechError('busy', text('client-closed')).with({ operation: 'createSpeech' });
    assert.deepEqual([error.message, error.text?.key], ['the client was closed', 'client-closed']);
  });

  it('has a message of at most 1000 bytes, without half a character at the end', () => {
    for (const character of ['a', 'é', '語', '😀']) {
      const { message } = new SpeechError('internal', character.repeat(2000));
      assert.ok(Buffer.byteLength(message) <= 1000 && Buffer.byteLength(message) > 990);
      assert.ok(message.endsWith(`${character}…`));
    }
    assert.equal(new SpeechError('internal', 'a'.repeat(1000)).message, 'a'.repeat(1000));
  });

  it('with a message without a key has no text', () => {
    assert.equal(new SpeechError('internal', 'x is not a function').text, undefined);
  });
});

describe('the message of an invalid request', () => {
  const { createSpeech } = operations;
  const valid = { voice_id: 'anna', text: 'Hello.', language: 'en' };
  const rules: [request: object, key: string][] = [
    [{ text: undefined }, 'rule-string'],
    [{ text: '?' }, 'rule-text'],
    [{ text: 'a'.repeat(301) }, 'rule-characters'],
    [{ text: 'a😀'.repeat(101) }, 'rule-characters'],
    [{ language: 'english' }, 'rule-language'],
    [{ style: '' }, 'rule-word'],
    [{ voice_id: 'a b' }, 'rule-identifier'],
    [{ output_format: 'ogg' }, 'rule-choice'],
    [{ voice_settings: { speed: 9 } }, 'rule-between'],
    [{ voice_settings: { speed: 0 } }, 'rule-between'],
  ];
  for (const [change, key] of rules) {
    it(`has the key ${key} for ${JSON.stringify(change).slice(0, 60)}`, () => {
      assert.throws(
        () => checkRequest(createSpeech.request, { ...valid, ...change }),
        (error) => {
          const rule = error instanceof SpeechError ? error.text?.values['rule'] : undefined;
          assert.equal(typeof rule === 'object' && 'key' in rule && rule.key, key);
          return true;
        },
      );
    });
  }

  it('does not call an excluded limit valid', () => {
    const above = z.object({ pitch: z.number().positive() });
    assert.throws(() => checkRequest(above, { pitch: 0 }), /: pitch is 0: .*>0$/);
    assert.throws(() => checkRequest(above, { pitch: '0' }), /: pitch is "0": enter a number$/);
  });

  it('lists at most five invalid fields', () => {
    const settings = Object.fromEntries('abcdefgh'.split('').map((name) => [name, 1]));
    assert.throws(
      () => checkRequest(z.strictObject({}), settings),
      /: unrecognized key: "a", "b", "c", "d", "e", …$/,
    );
    const all = { voice_id: '', text: '', language: '', style: '', model: '', output_format: '' };
    assert.throws(
      () => checkRequest(createSpeech.request, all),
      (error) => error instanceof SpeechError && error.message.split('; ').length === 6,
    );
  });

  it('does not throw for an empty list of issues', () => {
    assert.equal(describeIssues([], {}), 'the request is invalid');
  });

  it('lists all invalid fields', () => {
    assert.throws(
      () => checkRequest(createSpeech.request, { ...valid, language: 'x', text: '' }),
      /^SpeechError: text is "": .*; language is "x": /,
    );
  });
});
