import { readdir, readFile } from 'node:fs/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { AccountsError, type ErrorStatus, ServiceError } from '../kit/errors.js';
import { StoreError } from '../kit/store-error.js';
import { WorkerError } from '../kit/worker-error.js';
import type { CountedRequest, FrontEnd, Metrics, SpeechObserver } from './metrics.js';

/** The current state of the speech process. */
export interface SpeechLoad {
  running: number;
  queued: number;
  /** Process id. Undefined while no speech process runs. */
  pid: number | undefined;
}

/** Seconds. */
const FIRST_AUDIO = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const SYNTHESIS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];
/** Computing time per second of audio. */
const FACTOR = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/**
 * Counts events for Prometheus, in a registry that no other program in this process shares. Without the default metrics of
 * prom-client, because they start a monitor of the event loop that a closed service cannot stop.
 */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('herald_requests_total', 'Requests, with rejected ones.', [
    'front_end',
    'operation',
    'status',
  ]);
  readonly #failures = this.#counter('herald_speech_failures_total', 'Speech requests that ended early.', [
    'front_end',
    'reason',
  ]);
  readonly #audio = this.#counter('herald_speech_audio_seconds_total', 'Seconds of generated audio.', [
    'front_end',
  ]);
  readonly #samples = this.#counter('herald_sample_cache_requests_total', 'Requests for voice samples.', [
    'result',
  ]);
  readonly #firstAudio = this.#histogram(
    'herald_first_audio_seconds',
    'Time from a speech request to its first audio, with the wait in the queue.',
    FIRST_AUDIO,
  );
  readonly #synthesis = this.#histogram(
    'herald_synthesis_seconds',
    'Computing time of the voice engine per complete speech request.',
    SYNTHESIS,
  );
  readonly #factor = this.#histogram(
    'herald_real_time_factor',
    'Computing time of the voice engine per second of audio, per complete speech request.',
    FACTOR,
  );

  constructor(loadOf: () => SpeechLoad) {
    this.#registry.registerMetric(jobsGauge(loadOf));
    this.#registry.registerMetric(memoryGauge(loadOf));
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns all metrics in the text format of Prometheus, version 0.0.4. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  request({ frontEnd, operation, status }: CountedRequest): void {
    this.#requests.inc({ front_end: frontEnd, operation, status: String(status) });
  }

  sampleCache(result: 'hit' | 'miss'): void {
    this.#samples.inc({ result });
  }

  speech(frontEnd: FrontEnd): SpeechObserver {
    const label = { front_end: frontEnd };
    const start = performance.now();
    let sum = { seconds: 0, took: 0 };
    return {
      piece: ({ seconds, took }) => {
        if (sum.seconds === 0 && seconds > 0) {
          this.#firstAudio.observe(label, (performance.now() - start) / 1000);
        }
        sum = { seconds: sum.seconds + seconds, took: sum.took + took };
        this.#audio.inc(label, seconds);
      },
      end: (outcome) => {
        if (outcome === 'done') {
          this.#synthesis.observe(label, sum.took);
          if (sum.seconds > 0) this.#factor.observe(label, sum.took / sum.seconds);
        } else {
          const reason = outcome === 'stopped' ? outcome : failureReason(outcome.error);
          this.#failures.inc({ ...label, reason });
        }
      },
    };
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string, buckets: number[]): Histogram<'front_end'> {
    return new Histogram({ name, help, buckets, labelNames: ['front_end'], registers: [this.#registry] });
  }
}

const reasons: Partial<Record<ErrorStatus, string>> = {
  400: 'invalid',
  404: 'not-found',
  408: 'hung-up',
  503: 'closed',
};

/** Returns why speech failed, as one of a fixed list of words for a label. */
function failureReason(error: unknown): string {
  if (error instanceof WorkerError) return error.code;
  if (error instanceof AccountsError) return error.kind;
  if (error instanceof StoreError) return 'disk';
  return (error instanceof ServiceError ? reasons[error.status] : undefined) ?? 'internal';
}

function jobsGauge(loadOf: () => SpeechLoad) {
  return new Gauge({
    name: 'herald_jobs',
    help: 'Jobs of the voice engines.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { running, queued } = loadOf();
      this.set({ state: 'running' }, running);
      this.set({ state: 'queued' }, queued);
    },
  });
}

function memoryGauge(loadOf: () => SpeechLoad) {
  return new Gauge({
    name: 'herald_memory_bytes',
    help: 'Resident memory. "speech" is the speech process with its child processes, on Linux.',
    labelNames: ['process'],
    registers: [],
    async collect() {
      const { pid } = loadOf();
      this.set({ process: 'service' }, process.memoryUsage.rss());
      this.set({ process: 'speech' }, pid === undefined ? 0 : ((await memoryOfTree(pid)) ?? Number.NaN));
    },
  });
}

/** Maximum number of processes whose memory is added. Each worker has one eSpeak process at most. */
const MAX_PROCESSES = 200;
const KILOBYTE = 1024;

/**
 * Returns the resident memory of a process and its descendants in bytes. Returns undefined if the process has ended, and on
 * systems without `/proc`.
 */
async function memoryOfTree(root: number): Promise<number | undefined> {
  const processes = [root];
  let bytes: number | undefined;
  for (let place = 0; place < Math.min(processes.length, MAX_PROCESSES); place++) {
    const id = processes[place];
    const size = id === undefined ? undefined : await memoryOf(id);
    if (id === undefined || size === undefined) continue;
    bytes = (bytes ?? 0) + size;
    processes.push(...(await childrenOf(id)));
  }
  return bytes;
}

async function memoryOf(id: number): Promise<number | undefined> {
  const status = await readOrBlank(`/proc/${id}/status`);
  const kilobytes = /^VmRSS:\s+(?<size>\d+) kB$/m.exec(status)?.groups?.['size'];
  return kilobytes === undefined ? undefined : Number(kilobytes) * KILOBYTE;
}

/** Worker threads start processes too, and the file of a thread lists only the children of that thread. */
async function childrenOf(id: number): Promise<number[]> {
  const threads = await readdir(`/proc/${id}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readOrBlank(`/proc/${id}/task/${thread}/children`)),
  );
  return lists.flatMap((list) => list.split(' ').filter((word) => word !== '')).map(Number);
}

/** A process can end at any time. */
const readOrBlank = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
