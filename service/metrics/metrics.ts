/** A protocol of the service. */
export type FrontEnd = 'native' | 'openai' | 'wyoming';

/** A request as a front end counts it. */
export interface CountedRequest {
  /** `other` stands for the console, the voice samples, and other routes without a protocol. */
  frontEnd: FrontEnd | 'other';
  /** Name of an operation, from a fixed list. Never a value of the caller. */
  operation: string;
  /** HTTP status, or `ok` or an error code of the protocol. Never a value of the caller. */
  status: number | string;
}

/** Observes one speech request. Times start when the observer is created. */
export interface SpeechObserver {
  /** A piece of the speech is ready. */
  piece(piece: { seconds: number; took: number }): void;
  /** The speech has ended: completely, at the wish of the caller, or with a failure. */
  end(outcome: 'done' | 'stopped' | { error: unknown }): void;
}

/** Receives the events that the metrics count. Labels have few values: no texts, keys, voices or accounts. */
export interface Metrics {
  request(request: CountedRequest): void;
  /** The shared speech path calls it. Front ends do not. */
  speech(frontEnd: FrontEnd): SpeechObserver;
  sampleCache(result: 'hit' | 'miss'): void;
}

/** The page that Prometheus scrapes. */
export interface MetricsPage {
  contentType: string;
  text(): Promise<string>;
}

const ignore = (): void => undefined;
const noObserver: SpeechObserver = { piece: ignore, end: ignore };

/** Counts nothing. */
export const noMetrics: Metrics = { request: ignore, speech: () => noObserver, sampleCache: ignore };
