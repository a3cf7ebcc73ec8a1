import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from '@herald-speech/client';
import { close, listen } from '../../support/net/fault-server.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { audible, failureAt, secondsAt } from '../announced.js';
import { type Running, withExample } from '../example.js';

const TOKEN = 'long-lived-token';
const ENTITY = 'media_player.living_room';

/** Data of the action as Home Assistant checks them. */
const playMedia = z.strictObject({
  entity_id: z.literal(ENTITY),
  media_content_id: z.url({ protocol: /^https?$/ }),
  media_content_type: z.string().min(1),
  announce: z.boolean().optional(),
  enqueue: z.enum(['add', 'next', 'play', 'replace']).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
});
type PlayMedia = z.output<typeof playMedia>;

/** Answers a request as the REST API of Home Assistant does. */
async function answer(request: IncomingMessage, accepted: PlayMedia[]): Promise<[number, unknown]> {
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return [401, { message: '401: Unauthorized' }];
  if (request.method === 'GET' && request.url === `/api/states/${ENTITY}`)
    return [200, { entity_id: ENTITY, state: 'idle' }];
  if (request.method !== 'POST') return [405, { message: '405: Method Not Allowed' }];
  if (request.url !== '/api/services/media_player/play_media') return [400, { message: 'Action not found.' }];
  const data = playMedia.safeParse(await json(request).catch(() => undefined));
  if (!data.success) return [400, { message: '400: Bad Request' }];
  accepted.push(data.data);
  return [200, [{ entity_id: ENTITY, state: 'playing' }]];
}

/** Runs `work` with a strict imitation of Home Assistant. */
async function withHomeAssistant(work: (url: string, accepted: PlayMedia[]) => Promise<void>): Promise<void> {
  const accepted: PlayMedia[] = [];
  const server = createServer((request, response) => {
    void answer(request, accepted).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const port = await listen(server);
  try {
    await work(`http://127.0.0.1:${port}/api/services/media_player/play_media`, accepted);
  } finally {
    server.closeAllConnections();
    await close(server);
  }
}

describe('example home/home-assistant', () => {
  shareLocalService();

  const run = (token: string, work: (flow: Running) => Promise<void>, url: string) =>
    withExample('home/home-assistant', work, {
      other: { 'ha-request': { url }, 'ha-state': { url: `${new URL(url).origin}/api/states/${ENTITY}` } },
      credentials: { 'ha-request': { password: token }, 'ha-state': { password: token } },
    });

  it('shows that Home Assistant accepted the announcement, and the state of the player at its end', () =>
    withHomeAssistant((url, accepted) =>
      run(
        TOKEN,
        (flow) =>
          audible(flow, async (base_url) => {
            flow.send('ha-press', { base_url });
            await flow.first('ha-accepted');
            assert.deepEqual(
              accepted.map(({ announce, media_content_type }) => [announce, media_content_type]),
              [[true, 'music']],
            );
            assert.ok((await secondsAt(accepted[0]?.media_content_id ?? '')) > 2);
            assert.equal(Reflect.get(Object((await flow.first('ha-ended'))['payload']), 'state'), 'idle');
            assert.deepEqual(flow.seen('ha-refused'), []);
          }),
        url,
      ),
    ));

  it('shows a Home Assistant that cannot be reached', () =>
    run(
      TOKEN,
      async (flow) => {
        flow.press('ha-press');
        assert.match(JSON.stringify((await flow.first('ha-refused'))['error']), /ECONNREFUSED/);
      },
      'http://127.0.0.1:9',
    ));

  it('shows a refused token, and a failed synthesis', () =>
    withHomeAssistant((url, accepted) =>
      run(
        'wrong',
        async (flow) => {
          flow.press('ha-press');
          const refused = await flow.first('ha-refused');
          assert.equal(Reflect.get(refused, 'statusCode'), 401);
          assert.equal(await failureAt(flow, { speak: 'ha-speak', errors: 'ha-error' }), 'not-found');
          assert.deepEqual(accepted, []);
        },
        url,
      ),
    ));
});
