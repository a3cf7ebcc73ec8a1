import { asSpeechError, type AudioCache } from '@herald-speech/client';
import type { Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { fleetOfAccount } from '../../account/account-node.js';
import { cacheFolder, openSharedCache } from '../../account/cache.js';
import { localizeError } from '../../runtime/localize.js';
import { messageError } from '../../runtime/ports.js';
import { refuseForeign } from '../endpoint/endpoint.js';
import { editorTranslator } from '../../runtime/languages.js';

/** The state of the cache for the dialog of an account. */
interface CacheState {
  /** Null if the cache is off for all accounts. */
  folder: string | null;
  bytes: number;
  entries: number;
  /** Seconds of audio that the account got from the cache. */
  savedSeconds: number;
}

const OFF: CacheState = { folder: null, bytes: 0, entries: 0, savedSeconds: 0 };

/**
 * Serves `GET /herald/cache?account=ID` and `POST /herald/cache/clear` with the same query. Both reply with the state of the
 * cache, or with `{error}`. No account needs to be deployed or to be reachable.
 */
export function serveCache(RED: NodeAPI): void {
  const { httpAdmin, auth } = RED;
  httpAdmin.get('/herald/cache', refuseForeign, auth.needsPermission('herald.read'), (request, response) =>
    answer(RED, request, response, async () => undefined),
  );
  httpAdmin.post(
    '/herald/cache/clear',
    refuseForeign,
    auth.needsPermission('herald.write'),
    (request, response) =>
      answer(RED, request, response, async (cache) => {
        await cache.clear();
        await clearRedis(RED);
      }),
  );
}

/** Deletes the pieces in Redis of all deployed accounts, as the folder has pieces of all accounts. @throws SpeechError `no-connection` */
async function clearRedis(RED: NodeAPI): Promise<void> {
  const ids: string[] = [];
  RED.nodes.eachNode(({ id, type }) => {
    if (type === 'herald-account') ids.push(id);
  });
  await Promise.all(ids.map(async (id) => fleetOfAccount(RED, id)?.sharing.speech?.clear()));
}

async function answer(
  RED: NodeAPI,
  request: Request,
  response: Response,
  change: (cache: AudioCache) => Promise<void>,
): Promise<void> {
  const { account = '' } = request.query;
  response.set('Cache-Control', 'no-store');
  try {
    response.json(await stateOf(RED, typeof account === 'string' ? account : '', change));
  } catch (error) {
    const translator = editorTranslator(RED, request);
    response.json({ error: messageError(localizeError(translator, asSpeechError(error))) });
  }
}

async function stateOf(
  RED: NodeAPI,
  account: string,
  change: (cache: AudioCache) => Promise<void>,
): Promise<CacheState> {
  const cache = openSharedCache(RED);
  if (cache === undefined) return OFF;
  try {
    await change(cache);
    return { folder: cacheFolder() ?? null, ...(await cache.stats(account)) };
  } finally {
    await cache.close();
  }
}
