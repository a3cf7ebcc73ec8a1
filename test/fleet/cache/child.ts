/**
 * A member of a fleet: `child.ts REDIS SERVICE FOLDER TEXT...`. Speaks all texts at the same time. Reports in lines of JSON: each
 * change of the progress, each speech, and the end.
 */
import { writeSync } from 'node:fs';
import { createClient } from '../../../client/index.js';
import { createCreditLatch, createLimiter } from '../../../client/sharing.js';
import { createSharedSpeech } from '../../../fleet/cache/index.js';
import { KEY } from '../../support/client-for.js';
import { withConnections } from './support.js';

/** Writes synchronously, so that a kill cannot lose a report. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function main(): Promise<void> {
  const [, , redis = '', url = '', folder = '', ...texts] = process.argv;
  await withConnections({ url: redis }, 1, async ([connection]) => {
    const speech = connection && createSharedSpeech(connection, { in: 'redis' });
    const sharing = { limiter: createLimiter, credits: createCreditLatch, speech };
    const options = { apiKey: KEY, url, cache: { folder, service: 'service' }, sharing };
    const client = createClient({ ...options, requestsPerMinute: Infinity });
    const speak = async (text: string) => {
      const onProgress = ({ state }: { state: string }) => report({ state, text });
      const { audio, cached } = await client.speak({ voice_id: 'v1', text, language: 'en' }, { onProgress });
      report({ text, bytes: audio.length, cached });
    };
    await Promise.all(texts.map(speak));
    await client.close();
    await speech?.close();
  });
  report({ end: true });
}

void main();
