/** The endpoints of the section "Connect other programs" of an account (docs/decisions/0157). */
import { type Client, lazy, operation, SpeechError, z } from '@herald-speech/client';
import { dataFolder } from '../../account/connection.js';
import { ownProgramPorts } from '../../account/local/local-service.js';
import { problemsOf } from '../../account/local/program-ports.js';
import { programDefaults, programPlaceOf } from '../../account/programs.js';
import { networkAddresses } from '../../output/urls/addresses.js';
import { originOf } from '../../output/urls/listener.js';
import { localize } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { endpoint } from '../endpoint/endpoint.js';
import { nodeEndpoint } from '../endpoint/node-endpoint.js';

/** Maximum length of a value from the editor, in UTF-16 code units. */
const MAX_VALUE = 200;

const typed = () => z.partialRecord(z.enum(Object.keys(programDefaults)), z.string().max(MAX_VALUE));

/**
 * Returns the addresses of typed settings, and the problems of ports that another program uses. The check listens at the ports, so it
 * needs the permission `flows.write`.
 */
export const programPlace = nodeEndpoint({
  path: '/herald/programs',
  permission: 'herald.write',
  request: () => z.object({ typed: typed() }),
  async run({ RED, request, translator, mayWriteFlows }) {
    const place = programPlaceOf(request.typed);
    if (place === undefined) return {};
    const problems = (await mayWriteFlows())
      ? Object.entries(await problemsOf(place, ownProgramPorts(dataFolder(RED))))
      : [];
    const host = place.host === '0.0.0.0' ? (networkAddresses()[0]?.address ?? place.host) : place.host;
    return {
      url: `${originOf({ scheme: 'http', host, port: place.port })}/v1`,
      wyoming: place.wyoming === undefined ? '' : `tcp://${host}:${place.wyoming}`,
      problems: Object.fromEntries(problems.map(([name, text]) => [name, localize(translator, text)])),
    };
  },
});

const noFields = lazy(() => z.object({}));
const newKey = lazy(() => z.object({ key: z.string().min(1) }));

/** Creates a key of the account `local` of the local service. Only this reply contains it, so a lost reply is not repeated. */
const createKey = operation({
  name: 'createConsoleKey',
  summary: 'Create a key',
  method: 'POST',
  path: '/console/api/keys',
  reply: 'json',
  streams: false,
  idempotent: false,
  bucket: 'general',
  paid: false,
  request: noFields,
  response: newKey,
  failures: [403],
});

/** Creates a key with one request: after a second one, the service would have a key that the user has not seen. @throws SpeechError */
export const newProgramKey = (client: Client, signal: AbortSignal) =>
  client.call(createKey, {}, { signal, attempts: 1 });

/** Creates a key for other programs, which the console can revoke. The editor saves it as a credential. */
export const createProgramKey = endpoint({
  path: '/herald/programs/create-key',
  permission: 'herald.write',
  request: () => z.object({ typed: z.object({ service: z.literal('local') }) }),
  isNew: () => true,
  run: ({ client, signal }) => newProgramKey(client, signal),
});

/** Returns the saved key of an account, so that a user who may write flows can copy it. */
export const savedProgramKey = nodeEndpoint({
  path: '/herald/programs/key',
  permission: 'herald.write',
  request: () => z.object({ account: z.string().max(MAX_VALUE) }),
  isNew: () => true,
  run({ RED, request: { account } }) {
    const stored: unknown = RED.nodes.getCredentials(account);
    const key: unknown =
      typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'programsKey') : undefined;
    if (typeof key === 'string' && key !== '') return { key };
    throw new SpeechError('not-configured', say('program-key-missing'));
  },
});
