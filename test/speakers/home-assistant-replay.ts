import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { text } from 'node:stream/consumers';
import { z } from '@herald-speech/client';
import { serving } from '../support/net/serve.js';

/** A token that only the replayed Home Assistant accepts. */
export const TOKEN = 'a.token-of.home_assistant';

const exchanges = z.array(
  z.object({ at: z.number(), asked: z.string(), body: z.unknown(), status: z.number(), reply: z.unknown() }),
);

const isCommand = ({ status, asked }: z.infer<typeof exchanges>[number]): boolean =>
  status === 200 && asked.startsWith('POST');

/**
 * Runs `work` with a server that replies as Home Assistant Core did in a record (`test/speakers/home-assistant/NAME.jsonl`, written by
 * `test/real/home-assistant/recording.ts`): with the reply that Home Assistant gave at that time to an equal request, and none from behind a command that is still missing. It is strict: any
 * request without an equal one in the record, any command of the record that is not sent, and any wrong token fails the test.
 * @param sound the address of the sound, for `SOUND` in the record
 */
export async function replaying(
  name: string,
  sound: string,
  work: (base: string) => Promise<void>,
): Promise<void> {
  const file = path.join(__dirname, 'home-assistant', `${name}.jsonl`);
  const lines = readFileSync(file, 'utf8').replaceAll('SOUND', sound).trim().split('\n');
  const record = exchanges.parse(lines.map((line) => JSON.parse(line)));
  const strange: string[] = [];
  const asked = new Set<unknown>();
  let first: number | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const sent = await text(request);
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return void response.writeHead(401).end('401: Unauthorized');
    const now = performance.now() - (first ??= performance.now());
    const body: unknown = sent === '' ? '' : JSON.parse(sent);
    const equal = record.filter(
      (one) => one.asked === `${method} ${url}` && one.status !== 401 && isDeepStrictEqual(one.body, body),
    );
    const pending = record.findIndex((one) => isCommand(one) && !asked.has(one));
    const known = pending < 0 ? record : record.slice(0, pending + 1);
    const past = equal.findLast((one) => one.at <= now && known.includes(one)) ?? equal[0];
    // The replies to a command follow it as they did in the record, also if a busy computer sends it later.
    if (past !== undefined && isCommand(past) && !asked.has(past)) first = performance.now() - past.at;
    for (const one of equal) asked.add(one);
    if (past === undefined) {
      strange.push(`${method} ${url} ${sent}`);
      return void response.writeHead(500).end();
    }
    const { reply } = past;
    response.writeHead(past.status).end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  };
  await serving((request, response) => void answer(request, response), work);
  const missing = record.filter((one) => !asked.has(one) && isCommand(one));
  if (missing.length > 0) throw new Error(`commands that were not sent: ${JSON.stringify(missing)}`);
  if (strange.length > 0) throw new Error(`requests that are not in the record:\n${strange.join('\n')}`);
}
