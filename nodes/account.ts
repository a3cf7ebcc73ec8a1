import { abridged, type Client, createClient, type SpeechDefaults, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { registerAdmin } from './admin/register.js';
import type { AccountNode } from './account/account-node.js';
import { currentVersion, migrated, type Migration } from './runtime/migrations.js';
import { limitDefaults, limitsOf } from './account/limits.js';
import { networkOf } from './account/network.js';
import { openLocalService, type StartableConnection, stopped } from './account/connection.js';
import { say } from './runtime/messages.js';

/** Version 1 supported only hosted services and saved no `service`. An account without a URL is a new, unchanged one. */
const migrations: readonly Migration[] = [
  (saved) => (saved['service'] === undefined && saved['url'] ? { ...saved, service: 'hosted' } : saved),
];

/** The saved properties of a new account. The key is a credential and never one of these. */
const defaults = {
  version: currentVersion(migrations),
  name: '',
  /** `local` for the local service, `hosted` for a hosted service with URL and key. */
  service: 'local',
  url: '',
  /** `auto`, or a number. */
  requestsPerMinute: 'auto',
  voice_id: '',
  language: 'en',
  /** The ids of Node-RED's config nodes `http proxy` and `tls-config`, for a hosted service. */
  proxy: '',
  tls: '',
  ...limitDefaults,
};

/** A saved flow is unchecked input: any property may be missing or of another type. */
type SavedAccount = Partial<Record<keyof typeof defaults, unknown>>;

function register(RED: NodeAPI): void {
  registerAdmin(RED, { open: (typed) => connectionOf(RED, typed, typed['apiKey']), defaultsOf });
  RED.nodes.registerType(
    'herald-account',
    function (this: Node<{ apiKey?: unknown }>, definition: NodeDef & SavedAccount) {
      RED.nodes.createNode(this, definition);
      const saved = migrated({ ...definition }, migrations);
      const connection = connectionOf(RED, saved, this.credentials.apiKey);
      const account: Omit<AccountNode, keyof Node> = {
        defaults: defaultsOf(saved),
        prepare: () => connection.prepare(),
        connect: (signal) => connection.connect(signal),
      };
      Object.assign(this, account);
      this.on('close', (_removed: boolean, done: () => void) => void connection.close().finally(done));
    },
    { credentials: { apiKey: { type: 'password' } } },
  );
}

function connectionOf(RED: NodeAPI, saved: SavedAccount, key: unknown): StartableConnection {
  const service = saved.service ?? defaults.service;
  if (service === 'hosted') return openHostedService(RED, saved, key);
  if (service === 'local') return openLocalService(RED);
  const wrong = new SpeechError('not-configured', say('account-service', { value: abridged(service) }));
  return { prepare: () => undefined, connect: () => Promise.reject(wrong), close: () => Promise.resolve() };
}

function defaultsOf(saved: SavedAccount): SpeechDefaults {
  const [voice_id, language] = [textOf(saved.voice_id), textOf(saved.language)];
  return { ...(voice_id && { voice_id }), ...(language && { language }) };
}

/** Opens a connection to a hosted service. Invalid options fail each message, not the deploy. */
function openHostedService(RED: NodeAPI, saved: SavedAccount, key: unknown): StartableConnection {
  const { url, proxy, tls } = saved;
  let client: Client | undefined;
  let closed = false;
  return {
    prepare: () => undefined,
    // `async` turns errors that createClient throws into rejections.
    async connect() {
      if (closed) throw stopped();
      client ??= createClient({
        url: textOf(url),
        apiKey: typeof key === 'string' ? key : '',
        ...limitsOf(saved),
        ...networkOf(RED, { url: textOf(url), proxy, tls }),
      });
      return client;
    },
    async close() {
      closed = true;
      await client?.close();
    },
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

export = Object.assign(register, { defaults });
