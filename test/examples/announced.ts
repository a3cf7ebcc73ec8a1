import assert from 'node:assert/strict';
import { inspectAudio } from '@herald-speech/client';
import { serving } from '../support/net/serve.js';
import type { Running } from './example.js';
import { errorOf } from '../support/node-red/messages.js';

/** Runs `work` with the address at which players reach the audio of a running example. */
export const audible = (flow: Running, work: (base_url: string) => Promise<void>): Promise<void> =>
  serving(flow.RED.httpNode, work);

/** Returns the seconds of the complete MP3 at a URL. */
export async function secondsAt(url: string): Promise<number> {
  const reply = await fetch(url);
  assert.equal(reply.headers.get('content-type'), 'audio/mpeg');
  return inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration;
}

/** Presses the button of an example that has no voice, and returns the code of the error at a node. */
export async function failureAt(
  flow: Running,
  { speak, errors }: { speak: string; errors: string },
): Promise<string> {
  flow.send(speak, { payload: 'Hello.', voice_id: 'unknown-voice' });
  return errorOf(await flow.first(errors)).code;
}
