import assert from 'node:assert/strict';
import { checkRequest } from '@herald-speech/client';
import { accountOf } from '../../../../nodes/account/account-node.js';
import { promptFields } from '../../../../nodes/prompts/run/fields.js';
import { spreadOver } from '../../../../nodes/prompts/run/rows/maker.js';
import { performerOf } from '../../../../nodes/prompts/run/rows/perform.js';
import { madeRow } from '../../../../nodes/prompts/run/rows/task.js';
import { runSettings } from '../../../../nodes/prompts/run/settings.js';
import { withPrompts } from '../../../support/node-red/prompts.js';
import { spoken } from '../../../support/net/scripted-server.js';

const { signal } = new AbortController();

describe('a prompt that another member makes', () => {
  it('has the warnings about its text as data, none from a member without warnings', () => {
    const made = { seconds: 1, cached: false, voice_id: 'a', language: 'en' };
    const warnings = [
      { key: 'warning-markup', values: { field: 'text' }, english: 'text: markup was removed' },
    ];
    const parse = (value: object) => madeRow().parse(JSON.parse(JSON.stringify(value))).warnings;
    assert.deepEqual([parse({ ...made, warnings }), parse(made)], [warnings, []]);
    assert.throws(() => parse({ ...made, warnings: ['text'] }));
  });

  it('has the voice and the pronunciations of the account of the run, not of the member', () =>
    withPrompts(
      () => spoken(),
      async ({ flow, server, folder }) => {
        const settings = await runSettings(
          flow.RED,
          checkRequest(promptFields(), { folder }),
          {
            defaults: { voice_id: 'voice-7', language: 'en' },
            service: () => accountOf(flow.RED, 'account').service(),
            speaker: { pronunciations: () => [{ word: 'GmbH', language: '', replacement: 'company' }] },
          },
          signal,
        );
        const row = { number: 1, given: {}, text: 'Acme GmbH.', filename: 'a.wav', voice: {} };
        const task: unknown = JSON.parse(JSON.stringify(settings.taskOf(row)));
        const { result } = await performerOf(accountOf(flow.RED, 'account'))(task, signal);
        assert.match(JSON.stringify(result), /"voice_id":"voice-7"/);
        assert.deepEqual([server.requests.length, server.requests[0]?.json['text']], [1, 'Acme company.']);
      },
      { account: { pronunciations: [{ word: 'Acme', language: '', replacement: 'Wrong' }] } },
    ));

  it('is charged once if several rows share its task', () =>
    withPrompts(
      () => spoken(),
      async ({ flow, folder }) => {
        const request = checkRequest(promptFields(), { folder });
        const settings = await runSettings(flow.RED, request, accountOf(flow.RED, 'account'), signal);
        const task = settings.taskOf({ number: 1, given: {}, text: 'Hi.', filename: 'a.wav', voice: {} });
        const result = { seconds: 1, charged: 1, cached: false, voice_id: 'voice-1', language: 'en' };
        const done = { result, data: new Uint8Array() };
        const make = spreadOver({ work: { submit: () => Promise.resolve(done) } }, () => assert.fail());
        const rows = await Promise.all([1, 2].map(() => make(task, signal, () => undefined)));
        assert.deepEqual(
          rows.map(({ charged, cached }) => [charged, cached]),
          [
            [1, false],
            [0, true],
          ],
        );
      },
    ));
});
