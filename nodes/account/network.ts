import { lazy, type NetworkOptions, SpeechError, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';

/** Node-RED's config node "http proxy". */
const proxyNode = lazy(() =>
  z.object({
    type: z.literal('http proxy'),
    url: z.string(),
    noproxy: z.array(z.string()).nullish(),
    credentials: z.object({ username: z.string().nullish(), password: z.string().nullish() }).nullish(),
  }),
);

const tlsShape = lazy(() =>
  z.object({
    type: z.literal('tls-config'),
    valid: z.literal(true),
    addTLSOptions: z.custom((value) => typeof value === 'function'),
  }),
);

/** Node-RED's config node "tls-config". Passed through unparsed, because its method needs `this`. `valid` is false if its files are unreadable. */
const tlsNode = lazy(() =>
  z.custom<{ addTLSOptions(options: object): object }>((node) => tlsShape().safeParse(node).success),
);

const tlsOptions = lazy(() => {
  const pem = z.union([z.string(), z.instanceof(Buffer)]).optional();
  return z.object({
    ca: pem,
    cert: pem,
    key: pem,
    passphrase: z.string().optional(),
    servername: z.string().optional(),
    rejectUnauthorized: z.boolean().optional(),
  });
});

/** The proxy in Node-RED's settings, which replaces the environment variables. */
const proxyOptions = lazy(() => z.object({ env: z.record(z.string(), z.string().optional()) }));

/** The network properties of an account: the service's address, and optional ids of config nodes. */
interface Network {
  url: string;
  proxy?: unknown;
  tls?: unknown;
}

/**
 * Returns an account's network options: from its config nodes, or else from Node-RED's settings and the environment.
 * @throws SpeechError `not-configured` if a config node is missing or unusable
 */
export function networkOf(RED: NodeAPI, { url, proxy, tls }: Network): NetworkOptions {
  return {
    ...(proxy ? fromProxyNode(RED, proxy) : fromSettings(RED, url)),
    ...(tls ? { tls: tlsOf(RED, tls) } : {}),
  };
}

function fromProxyNode(RED: NodeAPI, id: unknown): NetworkOptions {
  const { url, noproxy, credentials } = configNode(RED, proxyNode(), id, 'proxy-missing');
  return { proxy: withCredentials(url, credentials ?? {}), noProxy: (noproxy ?? []).join(',') };
}

type Credentials = NonNullable<z.output<ReturnType<typeof proxyNode>>['credentials']>;

/** Adds the credentials, which the config node stores separately, to the address. The client rejects an invalid address. */
function withCredentials(address: string, { username, password }: Credentials): string {
  const whole = address.includes('://') ? address : `http://${address}`;
  if (!(username || password) || !URL.canParse(whole)) return whole;
  const url = new URL(whole);
  url.username = encodeURIComponent(username ?? '');
  url.password = encodeURIComponent(password ?? '');
  return url.href;
}

function fromSettings({ settings }: NodeAPI, url: string): NetworkOptions {
  const options = proxyOptions().safeParse(Reflect.get(settings, 'proxyOptions'));
  if (!options.success) return {};
  const { env } = options.data;
  const valueOf = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const scheme = url.toLowerCase().startsWith('https:') ? 'https' : 'http';
  return { proxy: valueOf(`${scheme}_proxy`), noProxy: valueOf('no_proxy') };
}

/**
 * Returns the certificates of the config node `tls-config`.
 * @throws SpeechError `not-configured` if the config node is missing or unusable
 */
export function tlsOf(RED: NodeAPI, id: unknown) {
  return tlsOptions().parse(configNode(RED, tlsNode(), id, 'tls-missing').addTLSOptions({}));
}

function configNode<Schema extends z.ZodType>(
  RED: NodeAPI,
  schema: Schema,
  id: unknown,
  missing: 'proxy-missing' | 'tls-missing',
): z.output<Schema> {
  const node = schema.safeParse(RED.nodes.getNode(String(id)));
  if (node.success) return node.data;
  throw new SpeechError('not-configured', say(missing));
}
