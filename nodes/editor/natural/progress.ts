/** The progress of an installation. */
import { element, type Job, showProgress } from '@herald-speech/browser';
import { megabytes, type TextsOf } from './describe.js';

/** Milliseconds between two looks at an installation. */
const PAUSE_MS = 700;

const PHASES: Readonly<Record<string, string>> = {
  card: 'picker.natural.phases.card',
  download: 'picker.natural.phases.download',
  copy: 'picker.natural.phases.copy',
  check: 'picker.natural.phases.check',
  measure: 'picker.natural.phases.measure',
};

/** A bar with the step of the installation in words. */
export interface ProgressBar {
  bar: HTMLProgressElement;
  step: HTMLElement;
  /** The first bytes that the bar showed. The time left follows from the bytes since. */
  first: { at: number; bytes: number };
}

export function progressBar(ariaLabel: string, job: Job, node: TextsOf): ProgressBar {
  const bar = element('progress', { ariaLabel });
  const step = element('small');
  const created = { bar, step, first: { at: performance.now(), bytes: job.bytes } };
  show(created, job, node);
  return created;
}

/** The steps whose length is a number of bytes. That of a measurement is a number of sentences. */
const COUNTED: readonly string[] = ['download', 'copy'];

/** Shows the step, its bytes and the time that it needs. */
function show({ bar, step, first }: ProgressBar, { phase, bytes, total }: Job, node: TextsOf): void {
  const key = PHASES[phase];
  const values = { done: megabytes(bytes), total: megabytes(total) };
  const left = COUNTED.includes(phase) ? secondsLeft(first, bytes, total) : undefined;
  const time = left === undefined ? '' : ` · ${node._('picker.natural.left', { time: duration(left) })}`;
  step.textContent = key === undefined ? phase : `${node._(key, values)}${time}`;
  showProgress(bar, bytes, phase === 'measure' || COUNTED.includes(phase) ? total : 0);
}

/** Seconds of a download before its time is estimated. */
const SETTLED_SECONDS = 2;

/** Returns the seconds that a download needs at its mean speed. Undefined if the speed is unknown. */
function secondsLeft({ at, bytes: before }: ProgressBar['first'], bytes: number, total: number) {
  const seconds = (performance.now() - at) / 1000;
  if (seconds < SETTLED_SECONDS || bytes <= before) return undefined;
  return ((total - bytes) * seconds) / (bytes - before);
}

/** Returns a duration in words, such as "20 seconds" or "3 minutes". */
function duration(seconds: number): string {
  const [value, unit] =
    seconds < 90 ? [Math.ceil(seconds / 5) * 5, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(RED.i18n.lang(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

interface Followed {
  /** Whether the user still sees the progress. */
  isShown(): boolean;
  /** Reads the state of the installation. */
  read(): Promise<Job>;
  node: TextsOf;
}

/**
 * Shows the progress until the installation has ended. The installation goes on if the dialog closes.
 * @returns false if the progress was closed before the end
 * @throws RuntimeError
 */
export async function followJob(bar: ProgressBar, { isShown, read, node }: Followed): Promise<boolean> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (!isShown()) return false;
    const job = await read();
    if (!isShown()) return false;
    if (job.isDone) return true;
    show(bar, job, node);
  }
}
