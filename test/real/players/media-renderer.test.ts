import assert from 'node:assert/strict';
import { type FlowNode, localAccount, speechNode, withFlow } from '../../support/node-red/flow.js';
import { keepLocalService, useDataFolder } from '../../support/service/local-service.js';
import { withMediaRenderer } from '../../support/programs/media-renderer.js';
import { speechOf } from '../../support/node-red/messages.js';
import { type NetworkNamespace, networkNamespace } from '../../support/net/network-namespace.js';
import { serving } from '../../support/net/serve.js';
import { secondsOf } from '../../examples/example.js';
import { noise, withAudioRoute } from '../../players/publish.js';
import { until } from '../../support/waiting.js';

/** Needs root, because the renderer refuses loopback interfaces: it runs in a separate network. */
describe('a DLNA renderer in the network', function () {
  this.timeout(60_000);
  keepLocalService();
  const folder = useDataFolder();
  let network: NetworkNamespace | undefined;
  const theNetwork = () => network ?? assert.fail('no network');
  before(() => {
    network = networkNamespace();
  });
  after(() => network?.close());

  const nodes = (properties: object): FlowNode[] => [
    localAccount({ language: 'en' }),
    speechNode('text-to-speech', { output: 'url', ...properties }),
  ];

  for (const output_format of ['mp3', 'wav']) {
    it(`plays the URL of an announcement in ${output_format} from the chime to the end`, () =>
      withFlow(
        nodes({ output_format, chime: 'ding-dong', silence_before: '0.5' }),
        (flow) =>
          serving(
            flow.RED.httpNode,
            (base_url) =>
              withMediaRenderer(theNetwork(), async ({ play }) => {
                flow.send('node', { payload: 'The taxi is here.', base_url });
                const message = await flow.out('done');
                const seconds = secondsOf(await play(String(message.payload)));
                const { duration } = speechOf(message);
                assert.ok(Math.abs(seconds - duration) < 0.1, `${seconds} of ${duration} seconds`);
              }),
            theNetwork().host,
          ),
        { settings: { userDir: folder() } },
      ));
  }

  it('plays a text from its first piece to its last, while the rest is spoken', () =>
    withAudioRoute(
      folder(),
      ({ publishFirst, requests }) =>
        withMediaRenderer(theNetwork(), async ({ start, played }) => {
          const { url, add, end } = await publishFirst(noise(2));
          await start(url);
          await until(() => requests.size > 0);
          add(noise(3));
          await end();
          assert.ok(Math.abs(secondsOf(await played()) - 5) < 0.1);
        }),
      { host: theNetwork().host },
    ));
});
