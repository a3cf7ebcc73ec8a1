import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import { type Connection, launch, type Run } from './service-process.js';

/** A share in the one local service of a data folder. */
export interface LocalService {
  /**
   * Where the service can be spoken to, once it serves.
   * @throws SpeechError `not-configured` when it is not installed, `no-connection` when it does not start, or the
   *   signal's reason
   */
  ready(signal: AbortSignal): Promise<Connection>;
  /** Gives the share back. The last one stops the service, and resolves when it has ended. */
  release(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A service that ran this long had nothing wrong with its start. */
const STABLE_MS = 60_000;

const supervisors = new Map<string, Supervisor>();
/** Services that are on their way out: their data folder is theirs until they have ended. */
const endings = new Map<string, Promise<void>>();

/**
 * Starts the local service of this Node-RED, or joins the one that runs.
 * @param data its data folder
 * @param log told when it starts, and when it ended unasked
 */
export function useLocalService(data: string, log: (line: string) => void): LocalService {
  const supervisor = supervisors.get(data) ?? new Supervisor(data, log, endings.get(data));
  supervisors.set(data, supervisor);
  supervisor.users += 1;
  let held = true;
  return {
    ready: (signal) => supervisor.ready(signal),
    async release() {
      if (held) supervisor.users -= 1;
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

/** Keeps one service process alive until it is stopped. */
class Supervisor {
  users = 0;
  private readonly stopping = new AbortController();
  private run: Promise<Run>;
  private readonly over: Promise<void>;

  constructor(
    private readonly data: string,
    private readonly log: (line: string) => void,
    former: Promise<void> = Promise.resolve(),
  ) {
    this.run = former.then(() => this.start());
    this.run.catch(() => undefined);
    this.over = this.watch();
  }

  async ready(signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    this.stopping.signal.throwIfAborted();
    let abort = (): void => undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      abort = () =>
        reject(signal.reason instanceof Error ? signal.reason : new SpeechError('aborted', 'stopped'));
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      const connection = this.run.then((run) => run.connection);
      return await Promise.race([connection, aborted]);
    } catch (error) {
      // What ends because it is stopped has not failed to start.
      this.stopping.signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort(new SpeechError('aborted', 'the local service was stopped'));
    await this.over;
  }

  /** Where it served before, if it may: calls that are on their way find it there again. */
  private start(port = '0'): Promise<Run> {
    const run = launch(this.data, this.stopping.signal, this.log, { port });
    run.catch(() => undefined);
    return run;
  }

  /** Starts the service again whenever it ends, more and more slowly while it keeps ending at once. */
  private async watch(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const startedAt = performance.now();
      const run = await this.run.catch(() => undefined);
      if (run === undefined) return; // not installed: only an installation helps, and that restarts Node-RED
      const port = await run.connection.then(({ url }) => new URL(url).port).catch(() => '0');
      const how = await run.ended;
      if (this.stopping.signal.aborted) return;
      if (performance.now() - startedAt > STABLE_MS) pause = FIRST_PAUSE_MS;
      this.log(`the local service ended (${how}); it starts again in ${pause / 1000} s`);
      this.run = sleep(pause, undefined, { signal: this.stopping.signal }).then(() => this.start(port));
    }
  }
}
