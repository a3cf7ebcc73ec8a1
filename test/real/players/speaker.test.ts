import assert from 'node:assert/strict';
import { networkAddresses } from '../../../nodes/output/urls/addresses.js';
import { SoundTests } from '../../../nodes/admin/reach/sound-tests.js';
import { Speakers } from '../../../nodes/admin/reach/speakers.js';
import { speechNode, withFlow } from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { withMediaRenderer } from '../../support/programs/media-renderer.js';
import { type NetworkNamespace, networkNamespace } from '../../support/net/network-namespace.js';
import { serving } from '../../support/net/serve.js';
import { noise, wavOf } from '../../players/publish.js';
import { never } from '../../support/waiting.js';

const sound = { data: wavOf(noise(1)), extension: 'wav', mime: 'audio/wav', duration: 1, text: '' };

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

  /** Runs `work` with a Node-RED that the network reaches at `origin`. */
  const withTests = (
    work: (
      start: (base_url: string) => ReturnType<SoundTests['start']>,
      tests: SoundTests,
      origin: string,
    ) => Promise<void>,
  ) =>
    withFlow(
      [speechNode('text-to-speech', { account: '' })],
      ({ RED }) => {
        const tests = new SoundTests();
        return serving(
          RED.httpNode,
          (origin) => work((base_url) => tests.start(RED, { base_url }, sound, never), tests, origin),
          theNetwork().host,
        ).finally(() => tests.forget());
      },
      { settings: { userDir: folder() } },
    );

  it('is found, plays the test sound, and its requests are noted', () =>
    withTests((start, tests, origin) =>
      withMediaRenderer(
        theNetwork(),
        async ({ played }) => {
          const own = () => networkAddresses().filter((one) => one.interface === theNetwork().hostInterface);
          const speakers = new Speakers(own);
          const [speaker, ...others] = await speakers.search(never);
          assert.deepEqual(others, []);
          assert.deepEqual(speaker, {
            id: speaker?.id,
            name: 'Kitchen & hall',
            address: theNetwork().inside,
          });
          const test = await start(origin);
          await speakers.play(speaker.id, test, never);
          assert.ok((await played()).length > 90_000);
          const { requests } = await tests.log.since(new Set([test.name]), 0, never);
          assert.ok(
            requests.some(
              ({ address, bytes }) => address === theNetwork().inside && bytes >= sound.data.length,
            ),
          );
        },
        'Kitchen & hall',
      ),
    ));
});
