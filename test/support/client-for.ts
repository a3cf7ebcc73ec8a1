import { type Client, type ClientOptions, createClient } from '../../client/index.js';
import { leavingNothing } from './leftovers.js';
import { type Script, type ScriptedServer, withServer } from './scripted-server.js';

export const KEY = 'sk-Test/0123456789+key';

/** Options that make tests quick: short waits, no rate limit. */
const quick = {
  apiKey: KEY,
  attempts: 3,
  backoffBase: 1,
  backoffCap: 5,
  connectTimeout: 300,
  firstByteTimeout: 300,
  idleTimeout: 300,
  totalTimeout: 5000,
  requestsPerMinute: Infinity,
  clonesPerMinute: Infinity,
} satisfies Partial<ClientOptions>;

/** Runs `work` with a client of the service at `url`; then nothing of the client may be left. */
export function withClient<Result>(
  options: Partial<ClientOptions> & { url: string },
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return leavingNothing(async () => {
    const client = createClient({ ...quick, ...options });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  });
}

/** A client and the scripted service that it talks to. */
export function withService<Result>(
  script: Script,
  work: (client: Client, server: ScriptedServer) => Promise<Result>,
  options: Partial<ClientOptions> = {},
): Promise<Result> {
  return withServer(script, (server) =>
    withClient({ url: server.url, ...options }, (client) => work(client, server)),
  );
}
