import assert from 'node:assert/strict';
import { once } from 'node:events';
import { networkAddresses } from '../../nodes/output/urls/addresses.js';
import { listAddresses } from '../../nodes/admin/reach/report.js';
import { SoundTests } from '../../nodes/admin/reach/sound-tests.js';
import { describeWith } from '../support/programs/describe-with.js';
import { speechNode, withFlow } from '../support/node-red/flow.js';
import { useDataFolder } from '../support/service/local-service.js';
import { type NetworkNamespace, networkNamespace } from '../support/net/network-namespace.js';
import { serving } from '../support/net/serve.js';
import { noise, wavOf } from './publish.js';
import { never } from '../support/waiting.js';

const sound = { data: wavOf(noise(1)), extension: 'wav', mime: 'audio/wav', duration: 1, text: '' };

/** Needs root, because it makes a network with a speaker. */
describeWith(['ip'], 'a speaker in another network than the loopback', () => {
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

  /** Fetches a URL inside the network. Returns the status, or `failed`. */
  async function fetched(url: string): Promise<string> {
    const script = `fetch(process.argv[1]).then(({ status }) => console.log(status), () => console.log('failed'))`;
    const child = theNetwork().start(process.execPath, ['-e', script, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed: string[] = [];
    child.stdout?.on('data', (data) => printed.push(String(data)));
    await once(child, 'close');
    return printed.join('').trim();
  }

  it('does not reach a URL with a loopback address, and reaches the listed address of its network', () =>
    withTests(async (start, tests, origin) => {
      const loopback = origin.replace(theNetwork().host, '127.0.0.1');
      assert.equal(await fetched((await start(loopback)).url), 'failed');
      const listed = listAddresses(loopback, loopback, '', networkAddresses());
      const base = listed.find((one) => one.interface === theNetwork().hostInterface)?.url;
      assert.equal(base, origin);
      const { url, name } = await start(base);
      assert.equal(await fetched(url), '200');
      const { requests } = await tests.log.since(new Set([name]), 0, never);
      const [request] = requests;
      assert.deepEqual(request, { ...request, address: theNetwork().inside, method: 'GET', status: 200 });
    }));
});
