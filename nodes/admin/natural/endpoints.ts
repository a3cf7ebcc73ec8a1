/** The endpoints with which the voice picker lists, installs and removes natural voices and the native runtime. */
import { asSpeechError, type Operation, type RequestOf, type ResponseOf, z } from '@herald-speech/client';
import { resolvePath } from '../../output/files/files.js';
import { say } from '../../runtime/messages.js';
import type { TypedAccount } from '../endpoint/editor-connections.js';
import { type Endpoint, endpoint, type EndpointTask } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';
import * as routes from './operations.js';
import { watchInstallation } from './watch-installation.js';

/** Maximum length, in UTF-16 code units, of a path. */
const MAX_PATH = 4096;

const isLocal = (typed: TypedAccount | undefined): boolean => typed?.['service'] === 'local';

const named = () => target().extend({ name: z.string().min(1).max(200) });

const withFolder = () => target().extend({ folder: z.string().trim().min(1).max(MAX_PATH) });

const nameIn = ({ request: { name } }: { request: { name: string } }) => ({ name });

type Task = Pick<
  EndpointTask<{ typed?: TypedAccount | undefined }>,
  'client' | 'connect' | 'request' | 'signal'
>;

/**
 * Sends one request to the service. One attempt: the user sees the reason of the service at once, and presses the button again.
 * @param isFromRepository the service reads the file from the voice repository: its status 503 means that the repository failed
 */
async function ask<O extends Operation>(
  { client, signal }: Pick<Task, 'client' | 'signal'>,
  route: O,
  fields: RequestOf<O>,
  isFromRepository = false,
): Promise<ResponseOf<O>> {
  try {
    return await client.call(route, fields, { signal, attempts: 1 });
  } catch (thrown) {
    throw explained(thrown, isFromRepository);
  }
}

/** Adds the reason that only the service knows, in its words, such as a read-only folder. */
function explained(thrown: unknown, isFromRepository: boolean): Error {
  const error = asSpeechError(thrown);
  const { service: problem, status } = error;
  if (problem === undefined) return error;
  const isRepository = isFromRepository && status === 503;
  return error.with({ message: say(isRepository ? 'natural-repository' : 'natural-failed', { problem }) });
}

type ReadJob = Parameters<typeof watchInstallation>[1];

const jobOfVoice =
  (name: string): ReadJob =>
  (client, options) =>
    client.call(routes.readInstallation, { name }, options);
const jobOfImport: ReadJob = (client, options) => client.call(routes.readImport, {}, options);
/** A change that another request has completed counts as done. */
const jobOfNative: ReadJob = async (client, options) =>
  (await client.call(routes.readNative, {}, options)).job ?? { isDone: true };

/** Starts a job, which goes on if the dialog closes. A local service runs until its end. @param name tells jobs apart */
async function started<Job>(
  task: Task,
  name: string,
  read: ReadJob,
  start: Promise<Job>,
): Promise<{ job: Job }> {
  const job = await start;
  if (isLocal(task.request.typed)) void watchInstallation(name, read, task.connect);
  return { job };
}

/** A property `error` of the reply itself means that the request failed, so the job has a name. */
const jobIn = async <Job>(read: Promise<Job>): Promise<{ job: Job }> => ({ job: await read });

const done = (work: Promise<unknown>): Promise<object> => work.then(() => ({}));

/** Defines an endpoint. @param name the end of its path */
const withPermission =
  (permission: `herald.${'read' | 'write'}`) =>
  <Schema extends z.ZodObject>(name: string, request: () => Schema, run: Endpoint<Schema>['run']) =>
    endpoint({ path: `/herald/natural-voices${name}`, permission, request, run });
const reading = withPermission('herald.read');
const writing = withPermission('herald.write');

export const naturalEndpoints = [
  /** Lists the voices. `userDir` is the folder in which the user installs packages; null for a hosted service. */
  reading('', target, async (task) => {
    const userDir = (isLocal(task.request.typed) && task.RED.settings.userDir) || null;
    return { ...(await ask(task, routes.listNaturalVoices, {})), userDir };
  }),
  /** Reads the model card that the user accepts. */
  reading('/card', named, (task) => ask(task, routes.readModelCard, nameIn(task), true)),
  /** Reads the sample of a voice that is not installed. */
  reading('/sample', named, async (task) => {
    const { audio, mime } = await ask(task, routes.readRepositorySample, nameIn(task), true);
    return { audio: Buffer.from(audio).toString('base64'), mime };
  }),
  writing('/remove', named, (task) => done(ask(task, routes.removeVoice, nameIn(task)))),

  writing(
    '/install',
    () => named().extend({ card: z.string().max(200) }),
    (task) => {
      const { name, card } = task.request;
      return started(task, name, jobOfVoice(name), ask(task, routes.installVoice, { name, card }));
    },
  ),
  writing('/measure', named, (task) => {
    const { name } = task.request;
    return started(task, name, jobOfVoice(name), ask(task, routes.startMeasurement, { name }));
  }),
  reading('/job', named, (task) => jobIn(ask(task, routes.readInstallation, nameIn(task)))),
  writing('/cancel', named, (task) => done(ask(task, routes.cancelInstallation, nameIn(task)))),

  /**
   * Imports a folder on the computer of the service. A relative path starts at the folder of Node-RED's settings if the service is
   * local. The path is new, so the endpoint needs `flows.write` (docs/decisions/0165).
   */
  endpoint({
    ...writing('/import', withFolder, (task) => {
      const { folder: typed } = task.request;
      const folder = isLocal(task.request.typed) ? resolvePath(task.RED, typed) : typed;
      return started(task, 'import', jobOfImport, ask(task, routes.startImport, { folder }));
    }),
    isNew: () => true,
  }),
  reading('/import-job', target, (task) => jobIn(ask(task, routes.readImport, {}))),
  writing('/import-cancel', target, (task) => done(ask(task, routes.cancelImport, {}))),

  /** Reads the state of the native runtime, with its job. */
  reading('/native', target, (task) => ask(task, routes.readNative, {})),
  writing('/native-install', target, (task) =>
    started(task, 'native', jobOfNative, ask(task, routes.installNative, {})),
  ),
  writing('/native-remove', target, (task) =>
    started(task, 'native', jobOfNative, ask(task, routes.removeNative, {})),
  ),
  writing('/native-cancel', target, (task) => done(ask(task, routes.cancelNative, {}))),
] as const;
