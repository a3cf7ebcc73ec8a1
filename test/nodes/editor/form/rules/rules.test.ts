import assert from 'node:assert/strict';
import { operations, speechRequest } from '@herald-speech/client';
import { ruleProblem } from '../../../../../nodes/editor/form/rules/rules.js';
import { registrationOf } from '../../built.js';

const rulesOf = (name: string) => registrationOf(name).registration.rules;

/** Checks a typed value against the rule in the built page of a node. */
const problem = (name: string, field: string, text: string) => {
  const rule = rulesOf(name)?.[field];
  return rule === undefined ? undefined : ruleProblem(text, field, rule)?.key;
};

describe('rule of a typed value', () => {
  const wrong: [node: string, field: string, text: string, key: string][] = [
    ['text-to-speech', 'language', 'english', 'rules.language'],
    ['text-to-speech', 'voice_id', 'two words', 'rules.identifier'],
    ['text-to-speech', 'base_url', 'house.local', 'rules.url'],
    ['voice-search', 'page_size', 'many', 'rules.number'],
    ['voice-search', 'page_size', '10.5', 'rules.whole'],
    ['voice-search', 'page_size', '101', 'rules.range'],
    ['custom-voices', 'page_size', 'x', 'rules.number'],
    ['custom-voices', 'page_size', '-1', 'rules.range'],
    ['custom-voices', 'page_size', '5', 'rules.range'],
    ['custom-voices', 'page_size', '99999', 'rules.range'],
    ['credits', 'threshold', '-1', 'rules.at-least'],
    ['clone-voice', 'name', 'a'.repeat(101), 'rules.length'],
  ];
  for (const [node, field, text, key] of wrong) {
    it(`refuses ${field} ${text.slice(0, 12)} of ${node} with ${key}`, () =>
      assert.equal(problem(node, field, text), key));
  }

  const right: [node: string, field: string, text: string][] = [
    ['text-to-speech', 'language', 'ko'],
    ['text-to-speech', 'voice_id', '보이스-1'],
    ['text-to-speech', 'base_url', 'http://10.0.0.2:1880'],
    ['voice-search', 'page_size', '100'],
    ['custom-voices', 'page_size', '10'],
    ['credits', 'threshold', '0.5'],
    ['clone-voice', 'name', 'a'.repeat(100)],
    ['clone-voice', 'description', 'anything at all'],
  ];
  for (const [node, field, text] of right) {
    it(`accepts ${field} ${text.slice(0, 20)} of ${node}`, () =>
      assert.equal(problem(node, field, text), undefined));
  }

  it('accepts blank values and environment variables', () => {
    for (const [node, field] of wrong) {
      for (const text of ['', '${NAME}']) assert.equal(problem(node, field, text), undefined, field);
    }
  });

  it('refuses the same values as the client', () => {
    const cases = { language: ['en', 'EN', 'eng', 'e1'], voice_id: ['a', 'a b', '.', '..', '...', 'a/b'] };
    for (const [field, values] of Object.entries(cases)) {
      for (const value of values) {
        const refused = speechRequest.safeParse({
          voice_id: 'a',
          language: 'en',
          text: 'a',
          [field]: value,
        }).error;
        assert.equal(problem('text-to-speech', field, value) !== undefined, refused !== undefined, value);
      }
    }
    for (const page_size of [9, 10, 100, 101, 10.5]) {
      const refused = operations.searchVoices.request.safeParse({ page_size }).error;
      assert.equal(
        problem('voice-search', 'page_size', String(page_size)) !== undefined,
        refused !== undefined,
      );
    }
  });
});
