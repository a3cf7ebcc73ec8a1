import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { serving } from '../../support/net/serve.js';

/** One request to Home Assistant with its reply, as `test/speakers/home-assistant-replay.ts` reads it. */
interface Exchange {
  /** Milliseconds since the first request. */
  at: number;
  /** The method and the path. */
  asked: string;
  body: unknown;
  status: number;
  reply: unknown;
}

/**
 * Runs `work` with an address that forwards requests to Home Assistant. With the environment variable `HERALD_RECORD`, it writes them to
 * that folder as `NAME.jsonl`: the tests without Home Assistant play them again. The file has `SOUND` for the address of the sound.
 */
export function recording(
  name: string,
  target: string,
  sound: string,
  work: (base: string) => Promise<void>,
): Promise<void> {
  const folder = process.env['HERALD_RECORD'];
  if (folder === undefined) return work(target);
  const exchanges: Exchange[] = [];
  let first: number | undefined;
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Math.round(performance.now() - (first ??= performance.now()));
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const init = { method, headers: { Authorization: headers.authorization ?? '' }, ...(body && { body }) };
    const reply = await fetch(`${target}${url}`, init).catch(() => undefined);
    if (reply === undefined) return void response.destroy();
    const answer = await reply.text();
    exchanges.push({
      at,
      asked: `${method} ${url}`,
      body: parsed(body),
      status: reply.status,
      reply: parsed(answer),
    });
    response.writeHead(reply.status).end(answer);
  };
  return serving(
    (request, response) => void forward(request, response),
    async (base) => {
      await work(base);
      await mkdir(folder, { recursive: true });
      const lines = exchanges.toSorted((one, other) => one.at - other.at).map((one) => JSON.stringify(one));
      const file = `${lines.join('\n')}\n`.replaceAll(sound, 'SOUND');
      await writeFile(path.join(folder, `${name}.jsonl`), file);
    },
  );
}

/** Fields that announcements do not read. The picture has a token. */
const NOISE: ReadonlySet<string> = new Set(['entity_picture', 'context', 'last_changed', 'last_updated']);

function parsed(body: string): unknown {
  try {
    return JSON.parse(body, (key, value: unknown) => (NOISE.has(key) ? undefined : value));
  } catch {
    return body;
  }
}
