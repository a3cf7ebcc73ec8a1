/** The endpoints with which the voice picker lists, installs and removes natural voices. */
import { asSpeechError, z } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';
import { endpoint } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';
import {
  cancelInstallation,
  installVoice,
  listNaturalVoices,
  readInstallation,
  readModelCard,
  readSample,
  removeVoice,
} from './operations.js';
import { watchInstallation } from './watch-installation.js';

const named = () => target().extend({ name: z.string().min(1).max(200) });

/** One attempt: the user sees the reason of the service at once, and presses the button again. */
const ONCE = { attempts: 1 } as const;

/**
 * Lists the natural voices of the account's service. `userDir` is the folder in which the user installs packages; null for
 * a hosted service.
 */
export const naturalVoices = endpoint({
  path: '/herald/natural-voices',
  permission: 'herald.read',
  request: target,
  async run({ RED, client, request: { typed }, signal }) {
    const found = await explained(client.call(listNaturalVoices, {}, { signal, ...ONCE }));
    const isLocal = typed?.['service'] === 'local';
    return { ...found, userDir: (isLocal && RED.settings.userDir) || null };
  },
});

/** Reads the model card that the user accepts. */
export const naturalCard = endpoint({
  path: '/herald/natural-voices/card',
  permission: 'herald.read',
  request: named,
  async run({ client, request: { name }, signal }) {
    return explained(client.call(readModelCard, { name }, { signal, ...ONCE }), true);
  },
});

/** Reads the sample of a voice that is not installed. */
export const naturalSample = endpoint({
  path: '/herald/natural-voices/sample',
  permission: 'herald.read',
  request: named,
  async run({ client, request: { name }, signal }) {
    const { audio, mime } = await explained(client.call(readSample, { name }, { signal, ...ONCE }), true);
    return { audio: Buffer.from(audio).toString('base64'), mime };
  },
});

/** Reads the progress of an installation. */
export const naturalJob = endpoint({
  path: '/herald/natural-voices/job',
  permission: 'herald.read',
  request: named,
  async run({ client, request: { name }, signal }) {
    // A property `error` of the reply itself means that the request failed.
    return { job: await explained(client.call(readInstallation, { name }, { signal, ...ONCE })) };
  },
});

/** Starts an installation. It goes on if the dialog closes. */
export const installNatural = endpoint({
  path: '/herald/natural-voices/install',
  permission: 'herald.write',
  request: () => named().extend({ card: z.string().max(200) }),
  async run({ client, request: { name, card, typed }, signal, connect }) {
    const job = await explained(client.call(installVoice, { name, card }, { signal, ...ONCE }));
    if (typed?.['service'] === 'local') void watchInstallation(name, connect);
    return { job };
  },
});

/** Cancels an installation. */
export const cancelNatural = endpoint({
  path: '/herald/natural-voices/cancel',
  permission: 'herald.write',
  request: named,
  async run({ client, request: { name }, signal }) {
    await explained(client.call(cancelInstallation, { name }, { signal, ...ONCE }));
    return {};
  },
});

/** Removes an installed voice. */
export const removeNatural = endpoint({
  path: '/herald/natural-voices/remove',
  permission: 'herald.write',
  request: named,
  async run({ client, request: { name }, signal }) {
    await explained(client.call(removeVoice, { name }, { signal, ...ONCE }));
    return {};
  },
});

/**
 * Adds the reason that only the service knows, in its words, such as a read-only folder.
 * @param isFromRepository the service reads the file from the voice repository: its status 503 means that the repository failed
 */
async function explained<Result>(call: Promise<Result>, isFromRepository = false): Promise<Result> {
  try {
    return await call;
  } catch (thrown) {
    const error = asSpeechError(thrown);
    const { service: problem, status } = error;
    if (problem === undefined) throw error;
    const isRepository = isFromRepository && status === 503;
    const message = say(isRepository ? 'natural-repository' : 'natural-failed', { problem });
    throw error.with({ message });
  }
}
