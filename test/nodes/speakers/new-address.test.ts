import assert from 'node:assert/strict';
import { errorOf } from '../../support/node-red/messages.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { withSonosHouse } from '../../support/speakers/sonos-house.js';
import { answeringSearches } from '../../support/speakers/ssdp.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { announcing, playedIn, SECOND, speakerNode, withSpeakers } from './speaking-flow.js';

describeWith(['node'], 'a speaker that got a new address', () => {
  useDataFolder();

  /** Runs `work` with three players. Only the last one answers a search, as its identity is in no other test. */
  const withHouse = (work: Parameters<typeof withSpeakers>[2], identityOf: (id: string) => string) =>
    withSonosHouse(
      async ({ players, address }) => {
        const attic = players[2] ?? assert.fail();
        const speaker = speakerNode('attic', {
          kind: 'sonos',
          // No program listens there.
          address: '127.0.0.1:1',
          identity: identityOf(attic.id),
        });
        await answeringSearches([`http://${address(2)}/xml/device_description.xml`], () =>
          withSpeakers(() => Buffer.alloc(SECOND), [speaker, announcing()], work),
        );
      },
      ['Kitchen', 'Hall', 'Attic'],
    );

  it('is found by its identity, and plays the announcement there, also the next one', () =>
    withHouse(
      async (say, flow) => {
        for (const text of ['Hello', 'Hello again']) {
          say(text);
          const [played, ...others] = playedIn(await flow.out('done'));
          assert.deepEqual(others, []);
          assert.equal(played?.speaker, 'attic');
          assert.ok(played.end);
        }
      },
      (id) => id,
    ));

  it('is reported as unreachable if another speaker answers in its place', () =>
    withHouse(
      async (say, flow) => {
        say('Hello');
        const { code, message } = errorOf(await flow.out('retryable'));
        assert.equal(code, 'no-connection');
        assert.match(message, /attic/);
      },
      () => 'RINCON_OF_ANOTHER',
    ));
});
