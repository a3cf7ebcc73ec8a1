import type { Client, ClientOptions } from '../../../../client/index.js';
import type { OpenAiOptions } from '../../../../client/upstreams/openai/openai.js';
import { withService } from '../../../support/service/client-for.js';
import type { Script, Scripted, ScriptedServer } from '../../../support/net/scripted-server.js';

export const speech = { voice_id: 'nova', text: 'Hello', language: 'en' };

interface ServiceOptions extends Partial<ClientOptions> {
  openai?: OpenAiOptions;
}

/** Runs `work` with a client of an OpenAI-compatible service that replies by `script`. */
export const withOpenAi = <Result>(
  script: Script,
  work: (client: Client, server: ScriptedServer) => Promise<Result>,
  { openai = {}, ...options }: ServiceOptions = {},
): Promise<Result> => withService(script, work, { ...options, upstream: { kind: 'openai', ...openai } });

/** Returns an error reply in the shape of the API. */
export const failed = (status: number, error: object, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers,
  body: { error: { message: 'refused', type: null, param: null, code: null, ...error } },
});

/** Returns a reply in another format than JSON. */
export const typed = (type: string, body: string | Uint8Array, status = 200): Scripted => ({
  status,
  headers: { 'content-type': type },
  body: typeof body === 'string' ? Buffer.from(body) : body,
});
