import type { Client } from '../../../../client/index.js';
import { createSpeech, getCredits, listVoices } from '../../../../client/interface/operations.js';
import type { UpstreamChoice } from '../../../../client/upstreams/list.js';

/** An upstream over HTTP that must survive each fault of `fault-server.ts`. */
export interface FaultyUpstream {
  upstream: UpstreamChoice;
  /** Calls an operation whose reply is JSON. */
  readJson(client: Client): Promise<unknown>;
}

/** All upstreams over HTTP. A new one needs an entry here. */
export const upstreams: Readonly<Record<string, FaultyUpstream>> = {
  hosted: { upstream: { kind: 'hosted' }, readJson: (client) => client.call(getCredits, {}) },
  openai: { upstream: { kind: 'openai' }, readJson: (client) => client.call(listVoices, {}) },
};

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };

/** Speaks a sentence in one request. */
export const speak = (client: Client): Promise<unknown> => client.call(createSpeech, speech);
