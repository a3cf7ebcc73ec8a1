/** The progress of an installation. */
import { element, type Job, showProgress } from '@herald-speech/browser';
import { megabytes } from './describe.js';

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
}

export function progressBar(ariaLabel: string, job: Job, node: EditorNode): ProgressBar {
  const bar = element('progress', { ariaLabel });
  const step = element('small');
  show({ bar, step }, job, node);
  return { bar, step };
}

/** The steps of known length. */
const COUNTED: readonly string[] = ['download', 'copy'];

/** Shows the step and its bytes. */
function show({ bar, step }: ProgressBar, { phase, bytes, total }: Job, node: EditorNode): void {
  const key = PHASES[phase];
  const values = { done: megabytes(bytes), total: megabytes(total) };
  step.textContent = key === undefined ? phase : node._(key, values);
  showProgress(bar, bytes, COUNTED.includes(phase) ? total : 0);
}

interface Followed {
  /** Whether the user still sees the progress. */
  isShown(): boolean;
  /** Reads the state of the installation. */
  read(): Promise<Job>;
  node: EditorNode;
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
