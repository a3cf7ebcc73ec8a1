/** The endpoints of the panel "Can my speakers hear me?" (docs/decisions/0102). */
import { rounded, SpeechError, z } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { formatField } from '../../lib/output-format.js';
import { networkAddresses } from '../../output/urls/addresses.js';
import type { AudioRequest } from '../../output/urls/requests.js';
import { localeOfTranslator, localize } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { nodeEndpoint, serveNode } from '../endpoint/node-endpoint.js';
import { openAudioPort } from './audio-ports.js';
import { deviceName } from './device-name.js';
import { isEdited } from './players.js';
import { reachReport } from './report.js';
import type { ServedTestSound, SoundTests } from './sound-tests.js';
import type { TestSounds } from './test-sound.js';

/** Maximum length, in UTF-16 code units, of an id or a name. */
const MAX_ID = 200;
/** Maximum length, in UTF-16 code units, of a setting of an account. */
const MAX_VALUE = 2000;
/** Maximum number of test sounds of one dialog. */
const MAX_NAMES = 50;

const id = () => z.string().min(1).max(MAX_ID);
const value = () => z.string().max(MAX_VALUE);
/** The typed values that determine the URL of a sound. */
export const typedUrlFields = () =>
  z.object({
    account: z.string().max(MAX_ID).optional(),
    audioPort: value().optional(),
    audioHost: value().optional(),
    audioBaseUrl: value().optional(),
    base_url: z.url({ protocol: /^https?$/ }).optional(),
  });

/** Serves the endpoints of the panel. */
export function serveReach(RED: NodeAPI, tests: SoundTests, sounds: TestSounds): void {
  serveNode(RED, addresses);
  serveNode(RED, openPort);
  serveNode(RED, testSound(tests, sounds));
  serveNode(RED, requests(tests));
  serveNode(RED, playInFlow(tests));
}

/**
 * Describes the base URL of typed values, and lists the addresses of this computer. Only a user who may write flows gets the offer of a
 * port: the search for a free port listens at ports.
 */
const addresses = nodeEndpoint({
  path: '/herald/reach/addresses',
  permission: 'herald.read',
  request: typedUrlFields,
  run: async ({ RED, request, translator, mayWriteFlows }) =>
    reachReport(RED, request, translator, await mayWriteFlows()),
});

/** Opens an audio port for speakers. Only a user who may write flows may open a port. */
const openPort = nodeEndpoint({
  path: '/herald/reach/open',
  permission: 'herald.write',
  request: () =>
    z.object({
      account: z.string().max(MAX_ID),
      port: z.int().min(1).max(65_535),
      host: z.union([z.literal(''), z.ipv4(), z.ipv6()]),
    }),
  isNew: () => true,
  async run({ RED, request: { account, ...place } }) {
    await openAudioPort(RED, account, place);
    return {};
  },
});

/** Records a test sound, and replies with its URL. */
const testSound = (tests: SoundTests, sounds: TestSounds) =>
  nodeEndpoint({
    path: '/herald/reach/test',
    permission: 'herald.write',
    request: () => typedUrlFields().extend({ format: formatField() }),
    // A speaker of the network requests this address.
    isNew: ({ base_url, ...edited }, RED) => base_url !== undefined || isEdited(RED, edited),
    async run({ RED, request, signal, translator }) {
      const { format, ...values } = request;
      const text = localize(translator, say('reach-sentence'));
      const sound = await sounds.get({ format, text, language: localeOfTranslator(translator) }, signal);
      return tests.start(RED, values, sound, signal);
    },
  });

/** Waits for a change of the requests for some test sounds, and lists them. */
const requests = (tests: SoundTests) =>
  nodeEndpoint({
    path: '/herald/reach/requests',
    permission: 'herald.read',
    request: () => z.object({ names: z.array(id()).min(1).max(MAX_NAMES), after: z.int().min(0) }),
    async run({ request: { names, after }, signal }) {
      const state = await tests.log.since(new Set(names), after, signal);
      const own = new Set(networkAddresses().map(({ address }) => address));
      return {
        ...state,
        requests: state.requests.map((one) => described(one, own, tests.find(one.name).url)),
      };
    },
  });

/** @param url the URL of the test sound */
function described(
  { userAgent, address, base, ...request }: AudioRequest,
  own: ReadonlySet<string>,
  url: string,
): object {
  const plain = address.replace(/^::ffff:/, '');
  const otherBase = base === '' || hostOf(base) === hostOf(url) ? '' : base;
  return { ...request, otherBase, address: plain, device: deviceName(userAgent), isOwn: own.has(plain) };
}

/** Returns the host and the port. A proxy may change the scheme, so a default port counts as none. */
const hostOf = (url: string): string => new URL(url).host.replace(/:(80|443)$/, '');

/** Sends a test sound on the first output of a deployed node. */
const playInFlow = (tests: SoundTests) =>
  nodeEndpoint({
    path: '/herald/reach/flow',
    permission: 'herald.write',
    request: () => z.object({ node: id(), name: id() }),
    run({ RED, request: { node, name } }) {
      sendThroughFlow(RED, node, tests.find(name));
      return {};
    },
  });

/**
 * Sends a test sound on the first output of a deployed text to speech node, like the URL of a speech.
 * @throws SpeechError `not-configured` if the node is not deployed, or its first output has no wire
 */
function sendThroughFlow(RED: NodeAPI, id: string, { url, mime, duration, text }: ServedTestSound): void {
  const node: Node | null = RED.nodes.getNode(id);
  if (node === null || node.type !== 'herald-text-to-speech')
    throw new SpeechError('not-configured', say('reach-not-deployed'));
  if (!isWired(node)) throw new SpeechError('not-configured', say('reach-no-wire'));
  const speech = { url, mime, duration: rounded(duration), text, test: true };
  node.send([{ _msgid: RED.util.generateId(), payload: url, speech }]);
}

/** Whether the first output has a wire. Node-RED keeps the wires in a property that its types leave out. */
function isWired(node: object): boolean {
  const wires: unknown = 'wires' in node ? node.wires : undefined;
  const [first]: unknown[] = Array.isArray(wires) ? wires : [];
  return Array.isArray(first) && first.length > 0;
}
