import { lazy, operation, z } from '@herald-speech/client';
import { endpoint } from '../endpoint/endpoint.js';

const noFields = lazy(() => z.object({}));
const link = lazy(() => z.object({ url: z.url({ protocol: /^http$/ }) }));

/** Creates a link that signs in to the console of the local service, once (docs/decisions/0047). */
const createLink = operation({
  name: 'createConsoleLink',
  summary: 'Create a link to the console',
  method: 'POST',
  path: '/console/api/links',
  reply: 'json',
  streams: false,
  idempotent: true,
  bucket: 'general',
  paid: false,
  request: noFields,
  response: link,
  failures: [403],
});

/** Returns a link to the console of the local service. A hosted service is refused: it could name any page. */
export const consoleLink = endpoint({
  path: '/herald/console',
  permission: 'herald.write',
  request: () => z.object({ typed: z.object({ service: z.literal('local') }) }),
  run: ({ client, signal }) => client.call(createLink, {}, { signal }),
});
