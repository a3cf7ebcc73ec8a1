import type { Node, NodeAPI, NodeDef } from 'node-red';
import { registerAdmin } from './admin/register.js';
import { hasFleetPackage } from './account/membership/fleet-package.js';
import { type Credentials, fleetDefaults } from './account/membership/fleet-settings.js';
import { limitDefaults } from './account/limits.js';
import { connectionOf, speechDefaultsOf, openAccount } from './account/open-account.js';
import { playerDefaults } from './account/players.js';
import { programDefaults } from './account/programs.js';
import { serviceDefaults } from './account/services.js';
import { currentVersion, migrated, type Migration, speechDefaults } from './account/settings.js';
import { tightenFolders } from './account/tighten-folders.js';
import { servePrompts } from './prompts/run/rows/perform.js';

/**
 * Version 1 supported only hosted services and saved no `service`. An account without a URL is a new, unchanged one.
 * Version 2 had no fallback: a flow handles the failures on the outputs of its nodes.
 */
const migrations: readonly Migration[] = [
  (saved) => (saved['service'] === undefined && saved['url'] ? { ...saved, service: 'hosted' } : saved),
  (saved) => ({ ...saved, fallback: saved['fallback'] ?? 'none' }),
];

/** The saved properties of a new account. The key is a credential and never one of these. */
const defaults = {
  version: currentVersion(migrations),
  name: '',
  ...serviceDefaults,
  /** `auto`, or a number. */
  requestsPerMinute: 'auto',
  voice_id: '',
  language: 'en',
  /** The ids of Node-RED's config nodes `http proxy` and `tls-config`, for a service over HTTP. */
  proxy: '',
  tls: '',
  ...limitDefaults,
  ...speechDefaults,
  ...fleetDefaults,
  ...playerDefaults,
  ...programDefaults,
};

/** A saved flow is unchecked input: any property may be missing or of another type. */
type SavedAccount = Partial<Record<keyof typeof defaults, unknown>>;

function register(RED: NodeAPI): void {
  void tightenFolders(RED);
  registerAdmin(RED, {
    open: (typed) => connectionOf(RED, typed, typed['apiKey']),
    defaultsOf: speechDefaultsOf,
  });
  RED.nodes.registerType(
    'herald-account',
    function (this: Node<Credentials>, definition: NodeDef & SavedAccount) {
      RED.nodes.createNode(this, definition);
      const saved = migrated({ ...definition }, migrations);
      const { account, close } = openAccount(RED, this, saved, this.credentials, servePrompts);
      Object.assign(this, account);
      this.on('close', (_removed: boolean, done: () => void) => void close().finally(done));
    },
    {
      // The dialog offers Redis only with the optional package.
      settings: { heraldAccountFleet: { value: hasFleetPackage(), exportable: true } },
      credentials: {
        apiKey: { type: 'password' },
        fleetUser: { type: 'text' },
        fleetPassword: { type: 'password' },
        programsKey: { type: 'password' },
      },
    },
  );
}

export = Object.assign(register, { defaults });
