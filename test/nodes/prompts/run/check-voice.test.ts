import assert from 'node:assert/strict';
import { tableOf, withPrompts } from '../../../support/node-red/prompts.js';
import { refused, type Script } from '../../../support/net/scripted-server.js';

/** A service whose only voice has the name Russell. */
const service: Script = ({ path }) =>
  path === '/v1/voices/search'
    ? { body: { items: [{ voice_id: 'rms', name: 'Russell', language: ['en'] }] } }
    : refused(404);

describe('the voices of a table', () => {
  for (const action of ['plan', 'run'])
    it(`name the identifier of a voice whose name is in many rows, after one free search (${action})`, () =>
      withPrompts(
        service,
        async ({ run, server: { requests } }) => {
          const languages = ['en', 'de', 'fr', 'en'];
          const rows = tableOf(...languages).map((row, index) => {
            return { ...row, voice_id: 'Russell', language: languages[index] };
          });
          const { wrong, made } = await run(rows, { action });
          const problem =
            'voice_id "Russell": this is the name of a voice. Its identifier is "rms": use it instead.';
          assert.deepEqual(
            wrong.map(({ problems }) => problems),
            rows.map(() => [problem]),
          );
          assert.equal(made, 0);
          assert.equal(requests.filter(({ query }) => query.has('name')).length, 1);
          assert.deepEqual(new Set(requests.map(({ method }) => method)), new Set(['GET']));
        },
        { describesVoices: true },
      ));
});
