/** The endpoints with which the voice picker lists, installs and removes natural voices. */
import { asSpeechError, z } from '@herald-speech/client';
import { resolvePath } from '../../output/files/files.js';
import { say } from '../../runtime/messages.js';
import type { TypedAccount } from '../endpoint/editor-connections.js';
import { endpoint } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';
import {
  cancelImport,
  cancelInstallation,
  installVoice,
  listNaturalVoices,
  startMeasurement,
  readImport,
  readInstallation,
  readModelCard,
  readRepositorySample,
  removeVoice,
  startImport,
} from './operations.js';
import { watchInstallation } from './watch-installation.js';

type Read = Parameters<typeof watchInstallation>[1];

/** Maximum length, in UTF-16 code units, of a path. */
const MAX_PATH = 4096;

export const isLocal = (typed: TypedAccount | undefined): boolean => typed?.['service'] === 'local';

const named = () => target().extend({ name: z.string().min(1).max(200) });

/** One attempt: the user sees the reason of the service at once, and presses the button again. */
export const ONCE = { attempts: 1 } as const;

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
    return { ...found, userDir: (isLocal(typed) && RED.settings.userDir) || null };
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
    const { audio, mime } = await explained(
      client.call(readRepositorySample, { name }, { signal, ...ONCE }),
      true,
    );
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
    const read: Read = (one, options) => one.call(readInstallation, { name }, options);
    if (isLocal(typed)) void watchInstallation(name, read, connect);
    return { job };
  },
});

/** Measures an installed voice again. The measurement goes on if the dialog closes. */
export const measureNatural = endpoint({
  path: '/herald/natural-voices/measure',
  permission: 'herald.write',
  request: named,
  async run({ client, request: { name, typed }, signal, connect }) {
    const job = await explained(client.call(startMeasurement, { name }, { signal, ...ONCE }));
    const read: Read = (one, options) => one.call(readInstallation, { name }, options);
    if (isLocal(typed)) void watchInstallation(name, read, connect);
    return { job };
  },
});

/** Cancels an installation or a measurement. */
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
 * Starts the import of a folder on the computer of the service. A relative path starts at the folder of Node-RED's settings if
 * the service is local. The path is new, so the endpoint needs `flows.write` (docs/decisions/0165).
 */
export const importNatural = endpoint({
  path: '/herald/natural-voices/import',
  permission: 'herald.write',
  request: () => target().extend({ folder: z.string().trim().min(1).max(MAX_PATH) }),
  isNew: () => true,
  async run({ RED, client, request: { folder: typedFolder, typed }, signal, connect }) {
    const folder = isLocal(typed) ? resolvePath(RED, typedFolder) : typedFolder;
    const job = await explained(client.call(startImport, { folder }, { signal, ...ONCE }));
    const read: Read = (one, options) => one.call(readImport, {}, options);
    if (isLocal(typed)) void watchInstallation('import', read, connect);
    return { job };
  },
});

/** Reads the progress of the import. */
export const naturalImport = endpoint({
  path: '/herald/natural-voices/import-job',
  permission: 'herald.read',
  request: target,
  async run({ client, signal }) {
    return { job: await explained(client.call(readImport, {}, { signal, ...ONCE })) };
  },
});

/** Cancels the import. */
export const cancelImportNatural = endpoint({
  path: '/herald/natural-voices/import-cancel',
  permission: 'herald.write',
  request: target,
  async run({ client, signal }) {
    await explained(client.call(cancelImport, {}, { signal, ...ONCE }));
    return {};
  },
});

/**
 * Adds the reason that only the service knows, in its words, such as a read-only folder.
 * @param isFromRepository the service reads the file from the voice repository: its status 503 means that the repository failed
 */
export async function explained<Result>(call: Promise<Result>, isFromRepository = false): Promise<Result> {
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
