import { abridged, type Client, createClient, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { registerAdmin } from './admin/register.js';
import type { AccountDefaults, AccountNode } from './account/account-node.js';
import { currentVersion, migrated, type Migration } from './runtime/migrations.js';
import { networkOf } from './account/network.js';
import { MACHINE_VOICE, stopped, thisMachine, type Way } from './account/connection.js';

/** An account without `service` is of the time when there was none but hosted ones, or a new one that nobody changed. */
const migrations: readonly Migration[] = [
  (saved) => (saved['service'] === undefined && saved['url'] ? { ...saved, service: 'hosted' } : saved),
];

/** The account as a new one is saved; the key is a credential and never among these. */
const defaults = {
  version: currentVersion(migrations),
  name: '',
  /** `local`: this machine; `hosted`: a URL and a key. */
  service: 'local',
  url: '',
  /** `auto`, or a number. */
  requestsPerMinute: 'auto',
  voice_id: '',
  language: 'en',
  /** Config nodes of Node-RED's own, for a hosted service: `http proxy` and `tls-config`. */
  proxy: '',
  tls: '',
};

/** Saved flows are input: any property may be missing or of another type. */
type SavedAccount = Partial<Record<keyof typeof defaults, unknown>>;

function register(RED: NodeAPI): void {
  registerAdmin(RED, { open: (typed) => wayOf(RED, typed, typed['apiKey']), defaultsOf });
  RED.nodes.registerType(
    'herald-account',
    function (this: Node<{ apiKey?: unknown }>, definition: NodeDef & SavedAccount) {
      RED.nodes.createNode(this, definition);
      const saved = migrated({ ...definition }, migrations);
      const way = wayOf(RED, saved, this.credentials.apiKey);
      const account: Pick<AccountNode, 'defaults' | 'connect'> = {
        defaults: defaultsOf(saved),
        connect: (signal) => way.connect(signal),
      };
      Object.assign(this, account);
      this.on('close', (_removed: boolean, done: () => void) => void way.close().finally(done));
    },
    { credentials: { apiKey: { type: 'password' } } },
  );
}

function wayOf(RED: NodeAPI, saved: SavedAccount, key: unknown): Way {
  const service = saved.service ?? defaults.service;
  if (service === 'hosted') return hosted(RED, saved, key);
  if (service === 'local') return thisMachine(RED);
  const wrong = new SpeechError(
    'not-configured',
    `account: service is ${abridged(service)}: expected local or hosted`,
  );
  return { connect: () => Promise.reject(wrong), close: () => Promise.resolve() };
}

function defaultsOf({ service, voice_id: voice, language }: SavedAccount): AccountDefaults {
  const local = service === undefined || service === 'local' ? MACHINE_VOICE : '';
  const voice_id = textOf(voice) || local;
  return { language: textOf(language) || defaults.language, ...(voice_id && { voice_id }) };
}

/** A hosted service. What is wrong with its options is told to each message that needs it. */
function hosted(RED: NodeAPI, { url, requestsPerMinute, proxy, tls }: SavedAccount, key: unknown): Way {
  let client: Client | undefined;
  let closed = false;
  return {
    // An async function: what createClient throws becomes a rejection.
    async connect() {
      if (closed) throw stopped();
      client ??= createClient({
        url: textOf(url),
        apiKey: typeof key === 'string' ? key : '',
        requestsPerMinute: rateOf(requestsPerMinute),
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

/** What is no number is left to the client, whose error names the option. */
function rateOf(value: unknown): number | 'auto' {
  return value === undefined || value === '' || value === 'auto' ? 'auto' : Number(value);
}

export = Object.assign(register, { defaults });
