import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { abridged, lazy } from '@herald-speech/client/interface';
import { tightenFolder } from '@herald-speech/client/files';
import { answerCommand } from './accounts/commands.js';
import type { AccountLedger } from './accounts/ledger.js';
import { openData } from './accounts/open-data.js';
import { UnrecordedUsage } from './accounts/unrecorded-usage.js';
import { createApp } from './http/app.js';
import { ConnectionLimit } from './http/connection-limit.js';
import { AccessGate } from './http/gate.js';
import { type NativeOptions, nativeRoutes, unknownPaths } from './http/native-routes.js';
import { isConsoleCommand } from './console/console-command.js';
import { isLoopbackUrl } from './kit/loopback.js';
import { CONSOLE_PATH, type ConsoleOptions, consolePath, consoleRoutes } from './console/routes.js';
import { Sessions } from './console/session.js';
import { SignInTokens } from './console/sign-in-tokens.js';
import { Closers } from './kit/closers.js';
import { loadEngines } from './voices/engines/engines.js';
import { closeServer, type HttpTimeouts, listen, makeServer, urlOf } from './http/server.js';
import { type Log, noLog } from './kit/log.js';
import { type Metrics, type MetricsPage, noMetrics } from './metrics/metrics.js';
import type * as Prometheus from './metrics/prometheus.js';
import { type OpenAiOptions, openAiRoutes, unknownOpenAiPaths } from './openai/routes.js';
import { unknownEntries } from './speech/default-voice.js';
import { warmUpDefaults } from './speech/predict.js';
import type { VoiceDependencies } from './speech/named-voice.js';
import { measurementsIn, nativeRuntimeFolder, voicesFolder } from './voices/installed/folders.js';
import { Natural } from './voices/natural/manage/natural.js';
import { SpeechSynthesis, type SynthesisOptions } from './voices/workers/speech.js';
import { serveControl } from './accounts/store/control.js';
import { Catalogue } from './voices/catalogue/catalogue.js';
import type { WyomingOptions } from './wyoming/options.js';
import { startWyoming, type WyomingServer } from './wyoming/serve-wyoming.js';

export type * from './voices/engines/engine.js';
export type * from './voices/engines/neural/process/messages.js';
export { LOCAL_ACCOUNT } from './accounts/open-data.js';
export type { WyomingOptions } from './wyoming/options.js';

export interface ServiceOptions {
  /** TCP port. 0 selects any free port. */
  port?: number;
  /** Address to listen on. Any address except 127.0.0.1 makes the service available to other computers. */
  host?: string;
  /** Data folder, with accounts, key and custom voices. Created if missing. Only one service can use it at a time. */
  data?: string;
  log?: Log;
  /** Modules of additional voice engines: package names, or files relative to the working directory (docs/engines.md). */
  engines?: readonly string[];
  /** Folder of the natural voices. It may be read-only and shared. Default: `voices` in the data folder. */
  voices?: string;
  /**
   * Default voices: ids, names or languages (docs/service.md#default-voices). The first one speaks if a request names neither a voice nor
   * a language, and each one is the default voice of its language. `alloy=NAME` maps a voice of the OpenAI API.
   */
  voice?: readonly string[];
  /** The voice repository or its mirror: a URL, or a local folder. '' selects the public repository. */
  voicesUrl?: string;
  /**
   * Milliseconds to the first audio of a natural voice. After this time, the simple voice of the language speaks. 0 means no
   * limit.
   */
  simpleVoiceAfter?: number;
  /** Number of workers, length of their queue and time limit of a job. */
  speech?: SynthesisOptions;
  /** Milliseconds for a request to arrive and for a connection to be idle. */
  timeouts?: Partial<HttpTimeouts>;
  /** Milliseconds for the current requests to finish when the service closes. */
  grace?: number;
  /** Milliseconds to wait until another service, which is stopping, releases the data folder. */
  patience?: number;
  /** Serves the Wyoming protocol too, which has no login. */
  wyoming?: WyomingOptions | undefined;
  /** Whether `GET /metrics` shows metrics for Prometheus, without a key. Default: false. */
  metrics?: boolean;
  /** Whether WAV and MP3 replies carry the mark of synthetic speech. Default: true. */
  mark?: boolean;
}

export interface Service {
  /** Base URL for clients on the same computer, without a final slash. */
  url: string;
  /** `tcp://host:port` of the Wyoming protocol, for clients on the same computer. Missing without the protocol. */
  wyomingUrl?: string;
  /** Key of the account `local`, which has no limits. Clients send it in the header `x-sup-api-key`. */
  key: string;
  /**
   * Returns a link that signs in to the console on the same computer, once. A service that listens on another address than
   * a loopback address has no sessions, so the link only opens the page.
   * @param lifetime milliseconds until the link expires; 10 minutes by default
   */
  consoleLink(lifetime?: number): string;
  /** Ends all requests, workers, timers and sockets. May be called more than once. */
  close(): Promise<void>;
}

export const serviceDefaults = {
  port: 7800,
  host: '127.0.0.1',
  data: defaultFolder(),
  engines: [],
  voice: [],
  voicesUrl: '',
  simpleVoiceAfter: 0,
  grace: 2000,
  /** Longer than `grace`, so that a start waits for a service that is stopping. */
  patience: 5000,
  metrics: false,
  mark: true,
  timeouts: { request: 60_000, headers: 10_000, keepAlive: 5000, idle: 120_000 },
} as const;

/** Returns a folder in the user's home. Users without a home, for example in a container, get the working directory. */
function defaultFolder(): string {
  try {
    return path.join(os.homedir(), '.herald');
  } catch {
    return path.resolve('.herald');
  }
}

/**
 * Starts the speech service (docs/service.md).
 * @throws EngineError if an engine cannot be loaded; StoreError if the data folder is unusable or another service uses
 *   it; an error with a `code` such as EADDRINUSE if the service cannot listen
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const closers = new Closers();
  try {
    return { ...(await start(options, closers)), close: () => closers.close() };
  } catch (error) {
    await closers.close().catch(() => undefined); // The error of the start is the cause.
    throw error;
  }
}

async function start(options: ServiceOptions, closers: Closers): Promise<Omit<Service, 'close'>> {
  const { log = noLog, speech: limits = {}, ...given } = options;
  const { port, host, data, grace, patience, engines, timeouts, simpleVoiceAfter, mark, voice } = {
    ...serviceDefaults,
    ...given,
  };
  const { folders, ...voices } = await openVoices({ ...serviceDefaults, ...given });
  const { ledger, samples, key, signer, local } = await openData(data, patience, closers);
  await tightenFolder(data, folders.folder === voicesFolder(data) ? NAMES_WITH_VOICES : NAMES);
  const unrecorded = new UnrecordedUsage(log, (uses) => ledger.credits.recordEarlier(uses));
  closers.add(() => unrecorded.close());
  const tokens = new SignInTokens();
  const speech = await SpeechSynthesis.start(engines, limits, folders);
  const running = new Set<Promise<void>>();
  // Requests charge their account at their end, so they must end before the ledger closes.
  closers.add(() => Promise.allSettled(running));
  closers.add(() => speech.close());
  closers.add(() => voices.natural.close());
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // Each request adds a listener and removes it at its end.
  const connections = new ConnectionLimit();
  const consoleLink = (lifetime?: number) => linkTo(urlOf(server, host), tokens, lifetime);
  const { metricsPage, metrics } = openMetrics(given.metrics ?? serviceDefaults.metrics, () => speech.load);
  const rules = { simpleVoiceAfter, signer: mark ? signer : undefined, defaultVoices: voice };
  const work = { speech, samples, ledger, unrecorded, metrics, log, ...rules, ...voices };
  reportUnknownVoices(work, local, log);
  const access = { local, tokens, consoleLink, connections, markKey: signer.key };
  const frontEnds = frontEndsOf({ ...work, ...access, log, closing: closing.signal });
  const app = createApp({ log, running, metrics, metricsPage }, frontEnds);
  const server = makeServer(app, { ...serviceDefaults.timeouts, ...timeouts }, connections);
  await listen(server, port, host);
  let wyoming: WyomingServer | undefined;
  // At the same time, so that a service stops within the patience of the next one.
  closers.add(() => Promise.all([closeServer(server, closing, grace), wyoming?.close()]));
  if (options.wyoming) wyoming = await startWyoming(options.wyoming, { ...work, log }, grace);
  const control = await serveControl(data, (command) =>
    isConsoleCommand(command) ? { result: { console: consoleLink() } } : answerCommand(ledger, command),
  );
  closers.add(() => control.close());
  if (limits.warmUp !== false) void warmUpDefaults(work, callerOf(ledger, local), closing.signal);
  return { url: urlOf(server, host), key, consoleLink, ...(wyoming && { wyomingUrl: wyoming.url }) };
}

/** The `api_key` of console sessions in usage reports. */
const CONSOLE_KEY = 'console';

const callerOf = ({ accounts }: AccountLedger, local: string) => ({
  account: accounts.get(local),
  keyId: CONSOLE_KEY,
});

type FrontEndOptions = Omit<OpenAiOptions & ConsoleOptions & NativeOptions, 'gate' | 'sessions'>;

/** Returns the routes of the front ends over HTTP, in the order in which they match. */
function frontEndsOf(options: FrontEndOptions) {
  const { ledger, local } = options;
  const sessions = new Sessions();
  const localCaller = (incoming: IncomingMessage) =>
    sessions.admits(incoming) ? callerOf(ledger, local) : undefined;
  const gate = new AccessGate({ keys: ledger.keys, localCaller });
  return [
    consoleRoutes({ ...options, sessions }),
    openAiRoutes({ ...options, gate }),
    nativeRoutes({ ...options, gate }),
    unknownOpenAiPaths({ ...options, gate }),
    unknownPaths({ gate }),
  ];
}

/** A voice may be installed later, so that an unknown one does not prevent the start. */
function reportUnknownVoices(voices: VoiceDependencies, account: string, log: Log): void {
  for (const name of unknownEntries(voices, account)) {
    log({
      level: 'error',
      error: `--voice ${abridged(name)}: unknown voice. Another voice speaks in its place`,
    });
  }
}

const prometheus = lazy((): typeof Prometheus => require('./metrics/prometheus.js'));

/** Returns the counters and their page. A service without metrics loads no library for them. */
function openMetrics(
  isOn: boolean,
  loadOf: () => Prometheus.SpeechLoad,
): { metrics: Metrics; metricsPage: MetricsPage | undefined } {
  if (!isOn) return { metrics: noMetrics, metricsPage: undefined };
  const { PrometheusMetrics } = prometheus();
  const metrics = new PrometheusMetrics(loadOf);
  return { metrics, metricsPage: metrics };
}

function linkTo(url: string, tokens: SignInTokens, lifetime: number | undefined): string {
  return url + (isLoopbackUrl(url) ? consolePath(tokens.issue(lifetime)) : CONSOLE_PATH);
}

type VoiceOptions = Required<Pick<ServiceOptions, 'data' | 'engines' | 'voicesUrl'>> &
  Pick<ServiceOptions, 'voices'>;

/** Loads the engines. Opens neither the folder nor the source of the natural voices. */
async function openVoices({ data, engines, voicesUrl, voices = voicesFolder(data) }: VoiceOptions) {
  const folders = { folder: voices, measurements: measurementsIn(data), native: nativeRuntimeFolder(data) };
  const catalogue = new Catalogue(await loadEngines(engines, folders));
  return { folders, catalogue, natural: new Natural({ voices, data, voicesUrl }, catalogue) };
}

/** The names that the service writes in its data folder. A changed voices folder is not one of them. */
const NAMES =
  /^(?:clones|measurements|native|run|(?:key|mark-key\.pem)(?:\.[0-9a-f]{12})?|herald\.sqlite.*|natural-catalogue\.json.*)$/;
const NAMES_WITH_VOICES = new RegExp(`${NAMES.source}|^voices$`);
