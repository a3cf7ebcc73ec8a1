import { type NetworkOptions, SpeechError, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';

/** Node-RED's own config node "http proxy". */
const proxyNode = z.object({
  type: z.literal('http proxy'),
  url: z.string(),
  noproxy: z.array(z.string()).nullish(),
  credentials: z.object({ username: z.string().nullish(), password: z.string().nullish() }).nullish(),
});

const tlsShape = z.object({
  type: z.literal('tls-config'),
  valid: z.literal(true),
  addTLSOptions: z.custom((value) => typeof value === 'function'),
});

/** Node-RED's own config node "tls-config", as itself: its method needs it. `valid` is false where files can't be read. */
const tlsNode = z.custom<{ addTLSOptions(options: object): object }>(
  (node) => tlsShape.safeParse(node).success,
);

const pem = z.union([z.string(), z.instanceof(Buffer)]).optional();

const tlsOptions = z.object({
  ca: pem,
  cert: pem,
  key: pem,
  passphrase: z.string().optional(),
  servername: z.string().optional(),
  rejectUnauthorized: z.boolean().optional(),
});

/** Where the settings of Node-RED name a proxy, in place of the environment. */
const proxyOptions = z.object({ env: z.record(z.string(), z.string().optional()) });

/** What an account says of its network: its service's address, and identifiers of config nodes, or nothing. */
interface Network {
  url: string;
  proxy?: unknown;
  tls?: unknown;
}

/**
 * How an account reaches its service: by the config nodes that it names, or as Node-RED's settings and the environment say.
 * @throws SpeechError `not-configured` for a config node that is not there or can't be used
 */
export function networkOf(RED: NodeAPI, { url, proxy, tls }: Network): NetworkOptions {
  return {
    ...(proxy ? ofProxyNode(RED, proxy) : ofSettings(RED, url)),
    ...(tls ? ofTlsNode(RED, tls) : {}),
  };
}

function ofProxyNode(RED: NodeAPI, id: unknown): NetworkOptions {
  const { url, noproxy, credentials } = configNode(RED, proxyNode, id, 'proxy');
  return { proxy: withCredentials(url, credentials ?? {}), noProxy: (noproxy ?? []).join(',') };
}

type Credentials = NonNullable<z.output<typeof proxyNode>['credentials']>;

/** The node keeps them apart from its address; what is no address the client refuses, with a reason. */
function withCredentials(address: string, { username, password }: Credentials): string {
  const whole = address.includes('://') ? address : `http://${address}`;
  if (!(username || password) || !URL.canParse(whole)) return whole;
  const url = new URL(whole);
  url.username = encodeURIComponent(username ?? '');
  url.password = encodeURIComponent(password ?? '');
  return url.href;
}

function ofSettings({ settings }: NodeAPI, url: string): NetworkOptions {
  const options = proxyOptions.safeParse(Reflect.get(settings, 'proxyOptions'));
  if (!options.success) return {};
  const { env } = options.data;
  const valueOf = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const scheme = url.toLowerCase().startsWith('https:') ? 'https' : 'http';
  return { proxy: valueOf(`${scheme}_proxy`), noProxy: valueOf('no_proxy') };
}

function ofTlsNode(RED: NodeAPI, id: unknown): NetworkOptions {
  const node = configNode(RED, tlsNode, id, 'TLS configuration');
  return { tls: tlsOptions.parse(node.addTLSOptions({})) };
}

function configNode<Schema extends z.ZodType>(
  RED: NodeAPI,
  schema: Schema,
  id: unknown,
  what: string,
): z.output<Schema> {
  const node = schema.safeParse(RED.nodes.getNode(String(id)));
  if (node.success) return node.data;
  throw new SpeechError(
    'not-configured',
    `account: the chosen ${what} is missing, disabled, incomplete or not deployed yet`,
  );
}
