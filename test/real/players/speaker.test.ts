import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { SoundTests } from '../../../nodes/admin/reach/sound-tests.js';
import { playOn } from '../../../nodes/admin/speakers/play.js';
import { speakerOf } from '../../../nodes/speakers/speaker-node.js';
import { dlna } from '../../../speakers/dlna/dlna.js';
import type { FoundSpeaker } from '../../../speakers/kind.js';
import { speechNode, withFlow } from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { withMediaRenderer } from '../../support/programs/media-renderer.js';
import { type NetworkNamespace, networkNamespace } from '../../support/net/network-namespace.js';
import { serving } from '../../support/net/serve.js';
import { noise, wavOf } from '../../players/publish.js';
import { never } from '../../support/waiting.js';

const SECONDS = 4;
const sound = {
  data: wavOf(noise(SECONDS)),
  extension: 'wav',
  mime: 'audio/wav',
  duration: SECONDS,
  text: '',
};

/** Needs root, because it makes a network with a speaker. */
describe('a DLNA speaker that Herald searches', function () {
  this.timeout(60_000);
  const folder = useDataFolder();
  let network: NetworkNamespace | undefined;
  const theNetwork = () => network ?? assert.fail('no network');
  before(() => {
    network = networkNamespace();
  });
  after(() => network?.close());

  it('is found, plays the test sound to its end, and its requests are noted', () =>
    withFlow(
      [speechNode('text-to-speech', { account: '' })],
      ({ RED }) =>
        serving(RED.httpNode, (origin) => playTestSound(RED, origin, theNetwork()), theNetwork().host),
      { settings: { userDir: folder() } },
    ));
});

const playTestSound = (RED: NodeAPI, origin: string, network: NetworkNamespace) =>
  withMediaRenderer(
    network,
    async ({ location }) => {
      const tests = new SoundTests();
      try {
        const found = await first(location);
        assert.equal(found.name, 'Kitchen & hall');
        const test = await tests.start(RED, { base_url: origin }, sound, never);
        const speaker = speakerOf('kitchen', { name: found.name, kind: 'dlna', address: found.address });
        const file = {
          ...test,
          data: sound.data,
          players: undefined,
          isFetched: () => tests.log.has(test.name),
        };
        const [played] = await playOn(RED, [speaker], file, never);
        assert.equal(z.object({ proof: z.string() }).parse(played).proof, 'state');
        const { requests } = await tests.log.since(new Set([test.name]), 0, never);
        assert.ok(
          requests.some(({ address, bytes }) => address === network.inside && bytes >= sound.data.length),
        );
      } finally {
        tests.forget();
      }
    },
    'Kitchen & hall',
    { inRealTime: true },
  );

/** Searches the networks for the speaker with a description at this URL. */
async function first(location: string): Promise<FoundSpeaker> {
  const end = new AbortController();
  try {
    for await (const found of dlna.find(end.signal)) if (found.address === location) return found;
    throw new Error('the search has ended');
  } finally {
    end.abort();
  }
}
