import { type Client, type ClientOptions, createClient } from '../../../client/index.js';
import { leavingNothing } from '../leftovers.js';
import { type Script, type ScriptedServer, withServer } from '../net/scripted-server.js';

export const KEY = 'sk-Test/0123456789+key';

/** Short pauses between attempts, no rate limit, and timeouts that a busy machine does not reach. */
const quick = {
  apiKey: KEY,
  attempts: 3,
  backoffBase: 1,
  backoffCap: 5,
  connectTimeout: 10_000,
  firstByteTimeout: 10_000,
  idleTimeout: 10_000,
  totalTimeout: 30_000,
  requestsPerMinute: Infinity,
  clonesPerMinute: Infinity,
} satisfies Partial<ClientOptions>;

/** Runs `work` with a client of the service at `url`, closes the client, and fails if one of its resources stays open. */
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

/** Runs `work` with a client and the scripted service behind it. */
export function withService<Result>(
  script: Script,
  work: (client: Client, server: ScriptedServer) => Promise<Result>,
  options: Partial<ClientOptions> = {},
): Promise<Result> {
  return withServer(script, (server) =>
    withClient({ url: server.url, ...options }, (client) => work(client, server)),
  );
}
