/**
 * A member of a fleet: `child.ts REDIS COMMAND_MS START SERVICE FOLDER TEXT...`. Speaks all texts at the same time, as soon as it has
 * joined, or, with the start `owner`, when it also has a share of the limits. Reports in lines of JSON: each
 * change of the members, of the share and of the progress, each speech, and the end.
 */
import { writeSync } from 'node:fs';
import { createClient } from '../../../client/index.js';
import { createFleet, type FleetState } from '../../../fleet/fleet.js';
import { KEY } from '../../support/service/client-for.js';

/** A busy machine may take seconds to connect. */
const JOIN_MS = 30_000;

/** Writes synchronously, so that a kill cannot lose a report. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function main(): Promise<void> {
  const [, , redis = '', commandMs = '', start = '', url = '', folder = '', ...texts] = process.argv;
  const account = { url, apiKey: KEY };
  let ownShare = (): void => undefined;
  const ownsShare = new Promise<void>((resolve) => (ownShare = resolve));
  const onChange = ({ isJoined, members, share }: FleetState) => {
    report({ members, share });
    if (isJoined && share > 0) ownShare();
  };
  const fleet = createFleet(
    { url: redis, account, cache: { in: 'redis' }, onChange },
    { commandMs: Number(commandMs) },
  );
  await fleet.joined(AbortSignal.timeout(JOIN_MS));
  // A call before that would make the others lend their shares.
  if (start === 'owner') await ownsShare;
  const cache = { folder, service: 'service' };
  const client = createClient({ ...account, cache, sharing: fleet.sharing, requestsPerMinute: 6000 });
  const speak = async (text: string) => {
    const onProgress = ({ state }: { state: string }) => report({ state, text });
    const { audio, cached } = await client.speak({ voice_id: 'v1', text, language: 'en' }, { onProgress });
    report({ text, bytes: audio.length, cached });
  };
  await Promise.all(texts.map(speak));
  await client.close();
  await fleet.close();
  report({ end: true });
}

void main();
