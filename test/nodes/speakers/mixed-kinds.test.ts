import assert from 'node:assert/strict';
import { describeWith } from '../../support/programs/describe-with.js';
import { withMpd } from '../../support/programs/mpd.js';
import { withSnapcast } from '../../support/programs/snapcast.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { SnapcastControl } from '../../../speakers/snapcast/rpc.js';
import { statusIn } from '../../../speakers/snapcast/status.js';
import { never, until } from '../../support/waiting.js';
import { announcing, playedIn, SECOND, speakerNode, withSpeakers } from './speaking-flow.js';

/** Whether the player of the room is connected. */
const isReady = async (port: number): Promise<boolean> => {
  const control = await SnapcastControl.open('127.0.0.1', port, never);
  try {
    return statusIn(await control.ask('Server.GetStatus')).groups[0]?.clients[0]?.isConnected === true;
  } finally {
    control.close();
  }
};

describeWith(
  ['mpd', 'snapserver', 'snapclient'],
  'the output "Speaker" on a player of MPD and a Snapcast group',
  () => {
    useDataFolder();

    it('starts the quick one by the known delay of the slow one later, and names what each proves', () =>
      withMpd((mpd) =>
        withSnapcast((snapcast) =>
          withSpeakers(
            () => Buffer.alloc(SECOND, 7),
            [
              speakerNode('kitchen', { kind: 'mpd', address: mpd.address }),
              speakerNode('house', { kind: 'snapcast', address: `127.0.0.1:${snapcast.control}` }),
              announcing({ speakers: ['kitchen', 'house'] }),
            ],
            async (say, flow) => {
              await until(() => isReady(snapcast.control));
              say('Hello');
              const [kitchen, house] = playedIn(await flow.out('done'));
              assert.deepEqual([kitchen?.proof, house?.proof], ['position', 'streamed']);
              const apart = Date.parse(house?.start ?? '') - Date.parse(kitchen?.start ?? '');
              assert.ok(Math.abs(apart) < 400, `${apart} ms`);
              assert.ok((await snapcast.heard()).some((byte) => byte !== 0));
            },
          ),
        ),
      ));
  },
);
