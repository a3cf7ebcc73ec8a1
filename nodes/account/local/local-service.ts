import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import { type ProgramAccess, ProgramPorts } from './program-ports.js';
import { type RunningService, launch, type Run, type ServiceLog } from './service-process.js';
import { portError } from '../../output/urls/try-port.js';
import { say } from '../../runtime/messages.js';

/** A reference to the local service of a data folder. All references of a folder share one process. */
export interface LocalService {
  /**
   * Resolves with URL and key when the service accepts requests. If the service has worked before and has ended, waits for
   * its restart, at most two minutes.
   * @throws SpeechError `not-configured` if the package is not installed, `no-connection` if the service does not
   *   start, `aborted` if the reference is released, or the signal's reason
   */
  ready(signal: AbortSignal): Promise<RunningService>;
  /** Releases the reference. The last release stops the service and resolves when its process has ended. */
  release(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Longest wait for a service that restarts. */
const RESTART_TIMEOUT_MS = 120_000;
/** After this running time, the next restart begins with the shortest pause again. */
const STABLE_MS = 60_000;

const supervisors = new Map<string, Supervisor>();
/** Services that are stopping, by data folder. A new process must not use the folder before they have ended. */
const endings = new Map<string, Promise<void>>();
/** The last port that each service chose, by data folder: after a deploy, an open console reaches the service again. */
const lastPorts = new Map<string, string>();

/**
 * Starts the local service of a data folder, or returns a reference to the running one.
 * @param data path of the data folder
 * @param access the ports for other programs; one process serves all references, so a change restarts it
 * @param log receives a line when the service starts or ends unexpectedly; an error if it ends again and again
 */
export function useLocalService(data: string, log: ServiceLog, access?: ProgramAccess): LocalService {
  const supervisor = supervisors.get(data) ?? new Supervisor(data, log, endings.get(data));
  supervisors.set(data, supervisor);
  supervisor.users += 1;
  if (access !== undefined) supervisor.ports.add(access);
  let held = true;
  return {
    ready: (signal) => supervisor.ready(signal),
    async release() {
      if (held) supervisor.users -= 1;
      if (access !== undefined) supervisor.ports.remove(access);
      held = false;
      if (supervisor.users > 0) return;
      if (supervisors.get(data) === supervisor) supervisors.delete(data);
      const ending = supervisor.stop().finally(() => {
        if (endings.get(data) === ending) endings.delete(data);
      });
      endings.set(data, ending);
      await ending;
    },
  };
}

/** Returns the ports that the local service of a data folder has opened for other programs. */
export const ownProgramPorts = (data: string): number[] => supervisors.get(data)?.ports.own ?? [];

type LocalServiceState = 'stopped' | 'starting' | 'running' | 'restarting';

/** Returns the state of the local service of a data folder. Does not start it. */
export const localServiceState = (data: string): LocalServiceState =>
  supervisors.get(data)?.state ?? 'stopped';

const ANY_PORT = '0';
/** Number of short runs in a row that count as a crash loop. */
const CRASH_LOOP = 2;

/** Starts the service process, and restarts it whenever it ends, until `stop`. */
class Supervisor {
  users = 0;
  state: LocalServiceState = 'starting';
  private readonly stopping = new AbortController();
  /** Ends the current process, so that the next one has other ports. */
  private replacing = new AbortController();
  readonly ports = new ProgramPorts(() => this.replace());
  private run: Promise<Run>;
  private hasServed = false;
  /** Emits `run` after `run` was replaced. */
  private readonly restarts = new EventEmitter().setMaxListeners(0);
  private readonly over: Promise<void>;

  constructor(
    private readonly data: string,
    private readonly log: ServiceLog,
    former: Promise<void> = Promise.resolve(),
  ) {
    this.run = former.then(() => this.start());
    this.run.catch(() => undefined);
    this.over = this.watch();
  }

  /** Waits for the current run. If it fails although the service has worked before, waits for the next one. */
  async ready(signal: AbortSignal): Promise<RunningService> {
    const { run } = this;
    try {
      return await this.connectionOf(run, signal);
    } catch (error) {
      return this.nextConnection(run, error, signal);
    }
  }

  /** Waits for a later run that works. @throws the last failure if no restart can help, or at the time limit */
  private async nextConnection(
    run: Promise<Run>,
    error: unknown,
    signal: AbortSignal,
  ): Promise<RunningService> {
    const late = new AbortController();
    const ends = AbortSignal.any([signal, late.signal, this.stopping.signal]);
    const timer = setTimeout(() => late.abort(), RESTART_TIMEOUT_MS);
    try {
      for (let [failed, failure] = [run, error]; ;) {
        const isPassing = failure instanceof SpeechError && failure.code === 'no-connection';
        if (ends.aborted || !this.hasServed || !isPassing) throw failure;
        if (failed === this.run) await once(this.restarts, 'run', { signal: ends }).catch(() => undefined);
        try {
          failed = this.run;
          return await this.connectionOf(failed, signal);
        } catch (thrown) {
          failure = thrown;
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private async connectionOf(run: Promise<Run>, signal: AbortSignal): Promise<RunningService> {
    signal.throwIfAborted();
    this.stopping.signal.throwIfAborted();
    let abort = (): void => undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      abort = () =>
        reject(
          signal.reason instanceof Error ? signal.reason : new SpeechError('aborted', say('service-stopped')),
        );
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([this.connectionIn(run), aborted]);
    } catch (error) {
      // A stopped service reports "aborted", not a failed start.
      this.stopping.signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** @throws SpeechError `no-connection` also if the process has ended: its port may belong to another program */
  private async connectionIn(starting: Promise<Run>): Promise<RunningService> {
    const run = await starting;
    const connection = await run.connection;
    this.hasServed = true;
    if (!run.isRunning()) throw new SpeechError('no-connection', say('service-restarts'));
    return connection;
  }

  private replace(): void {
    // Calls wait for the next process.
    this.hasServed = true;
    this.replacing.abort();
  }

  async stop(): Promise<void> {
    this.ports.stop();
    this.stopping.abort(new SpeechError('aborted', say('service-stopped')));
    await this.over;
  }

  /** Starts the process, at the previous port if it is free, so that pending calls can retry at the same URL. */
  private async start(): Promise<Run> {
    const { port = await freePort(lastPorts.get(this.data)), flags } = await this.ports.forStart();
    this.replacing = new AbortController();
    const end = AbortSignal.any([this.stopping.signal, this.replacing.signal]);
    return launch(this.data, end, this.log, { port, flags });
  }

  private reportEnd(how: string, pause: number, shortRuns: number): void {
    const next = `it starts again in ${pause / 1000} s`;
    if (shortRuns < CRASH_LOOP) this.log(`the local service ended (${how}); ${next}`, 'warn');
    else this.log(`the local service ended ${shortRuns} times in a row (${how}); ${next}`, 'error');
  }

  private serves({ url }: RunningService): void {
    this.state = 'running';
    const { port } = new URL(url);
    if (!this.ports.own.includes(Number(port))) lastPorts.set(this.data, port);
  }

  /** Restarts the process whenever it ends. The pause doubles, up to its maximum, while runs stay short. */
  private async watch(): Promise<void> {
    let shortRuns = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const startedAt = performance.now();
      const run = await this.run.catch(() => undefined);
      // The package is not installed. A restart cannot help before Node-RED itself restarts.
      if (run === undefined) {
        this.state = 'stopped';
        return;
      }
      await run.connection.then((connection) => this.serves(connection)).catch(() => undefined);
      const how = await run.ended;
      this.state = 'restarting';
      if (this.stopping.signal.aborted) return;
      if (this.replacing.signal.aborted) {
        this.begin(this.start());
        continue;
      }
      const wasStable = performance.now() - startedAt > STABLE_MS;
      if (wasStable) pause = FIRST_PAUSE_MS;
      shortRuns = wasStable ? 0 : shortRuns + 1;
      this.reportEnd(how, pause, shortRuns);
      this.begin(sleep(pause, undefined, { signal: this.stopping.signal }).then(() => this.start()));
    }
  }

  private begin(run: Promise<Run>): void {
    this.run = run;
    run.catch(() => undefined);
    this.restarts.emit('run');
  }
}

/** Returns a port of this computer if it is free, else the one that means any port. */
async function freePort(port: string | undefined): Promise<string> {
  if (port === undefined) return ANY_PORT;
  const error = await portError({ host: '127.0.0.1', port: Number(port) });
  return error === undefined ? port : ANY_PORT;
}
