/** The endpoints with which the page of natural voices installs and removes the native runtime. */
import { lazy, operation, z } from '@herald-speech/client';
import { endpoint } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';
import { explained, isLocal, ONCE } from './endpoints.js';
import { common, job, withoutFields, withoutReply } from './operations.js';
import { watchInstallation } from './watch-installation.js';

const PATH = '/console/api/native-runtime';

const state = lazy(() =>
  z.object({
    isInstalled: z.boolean(),
    isOutdated: z.boolean().optional(),
    version: z.string(),
    bytes: z.number().nonnegative(),
    downloadBytes: z.number().nonnegative(),
    obstacle: z.string().nullable(),
    job: job().nullable(),
  }),
);

const readNative = operation({
  ...common,
  name: 'readNativeRuntime',
  summary: 'Read the state of the native runtime',
  method: 'GET',
  path: PATH,
  reply: 'json',
  request: withoutFields,
  response: state,
  failures: [403, 404],
});

const installNative = operation({
  ...common,
  name: 'installNativeRuntime',
  summary: 'Install the native runtime',
  method: 'POST',
  path: PATH,
  reply: 'json',
  request: withoutFields,
  response: job,
  failures: [403, 404],
});

const removeNative = operation({
  ...common,
  name: 'removeNativeRuntime',
  summary: 'Remove the native runtime',
  method: 'DELETE',
  path: PATH,
  reply: 'json',
  request: withoutFields,
  response: job,
  failures: [403, 404],
});

const cancelNative = operation({
  ...common,
  name: 'cancelNativeRuntime',
  summary: 'Cancel the installation of the native runtime',
  method: 'DELETE',
  path: `${PATH}/job`,
  reply: 'empty',
  request: withoutFields,
  response: withoutReply,
  failures: [403, 404],
});

type Read = Parameters<typeof watchInstallation>[1];

/** A change that another request has completed counts as done. */
const readJob: Read = async (client, options) =>
  (await client.call(readNative, {}, options)).job ?? { isDone: true };

/** Reads the state, with the present job. */
const read = endpoint({
  path: '/herald/natural-voices/native',
  permission: 'herald.read',
  request: target,
  run: ({ client, signal }) => explained(client.call(readNative, {}, { signal, ...ONCE })),
});

const change = (path: `/herald/${string}`, call: typeof installNative) =>
  endpoint({
    path,
    permission: 'herald.write',
    request: target,
    async run({ client, request: { typed }, signal, connect }) {
      const started = await explained(client.call(call, {}, { signal, ...ONCE }));
      if (isLocal(typed)) void watchInstallation('native', readJob, connect);
      return { job: started };
    },
  });

const cancel = endpoint({
  path: '/herald/natural-voices/native-cancel',
  permission: 'herald.write',
  request: target,
  async run({ client, signal }) {
    await explained(client.call(cancelNative, {}, { signal, ...ONCE }));
    return {};
  },
});

export const nativeEndpoints = [
  read,
  change('/herald/natural-voices/native-install', installNative),
  change('/herald/natural-voices/native-remove', removeNative),
  cancel,
] as const;
