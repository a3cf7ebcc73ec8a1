/** The look of the boxes and progress bars of natural voices in the editor. */
import { type Job, type Surface, whileBusy } from '@herald-speech/browser';
import { button, confirmAtSecondClick, reveal, showStatus } from '../lib/dom.js';
import { errorText, RuntimeError } from '../lib/runtime.js';
import { megabytes, type TextsOf } from './describe.js';

const SMALL = 'red-ui-button-small';

/** Returns the look with the texts of a node. */
export const surfaceOf = (node: TextsOf): Surface => ({
  language: () => RED.i18n.lang(),
  size: (bytes) => `${megabytes(bytes)} MB`,
  steps: (isCopy) => stepsOf(isCopy, node),
  button: (label, name = label) => Object.assign(button({ className: SMALL }, label), { ariaLabel: name }),
  field: (label, input) => Object.assign(input, { type: 'text', placeholder: label, ariaLabel: label }),
  removal(label, name, act) {
    const remove = Object.assign(button({ className: SMALL }, label), { ariaLabel: name });
    confirmAtSecondClick(remove, { idle: label, asking: node._('picker.natural.confirm') }, act);
    return remove;
  },
  attempt: (status, control, work) =>
    whileBusy(control, async () => {
      showStatus(status, '');
      try {
        showStatus(status, await work());
      } catch (error) {
        const isOwn = error instanceof Error && !(error instanceof RuntimeError);
        showStatus(status, isOwn ? error.message : errorText(error, node), true);
      }
      // The list of voices fills a small window.
      if (status.textContent !== '') reveal(status);
    }),
  classes: {
    native: 'herald-native',
    import: 'herald-natural-import',
    fields: 'herald-natural-buttons',
    start: `red-ui-button ${SMALL}`,
    line: 'herald-natural-buttons',
    progress: 'herald-natural-progress',
    step: '',
    note: 'herald-note',
    status: 'herald-note',
  },
});

const PHASES: Readonly<Record<string, string>> = {
  card: 'picker.natural.phases.card',
  download: 'picker.natural.phases.download',
  check: 'picker.natural.phases.check',
  measure: 'picker.natural.phases.measure',
};
/** The files come from a folder in place of the network. */
const COPY = 'picker.natural.phases.copy';

/** Returns a function that describes a job: its step, its bytes and the time that it needs. */
function stepsOf(isCopy: boolean, node: TextsOf): (job: Job) => string {
  /** The first bytes. The time left follows from the bytes since. */
  let first: { at: number; bytes: number } | undefined;
  return ({ phase, bytes, total }) => {
    first ??= { at: performance.now(), bytes };
    const isLoad = phase === 'download';
    const key = isLoad && isCopy ? COPY : PHASES[phase];
    if (key === undefined) return phase;
    const left = isLoad ? secondsLeft(first, bytes, total) : undefined;
    const time = left === undefined ? '' : ` · ${node._('picker.natural.left', { time: duration(left) })}`;
    return node._(key, { done: megabytes(bytes), total: megabytes(total) }) + time;
  };
}

/** Seconds of a download before its time is estimated. */
const SETTLED_SECONDS = 2;

/** Returns the seconds that a download needs at its mean speed. Undefined if the speed is unknown. */
function secondsLeft(first: { at: number; bytes: number }, bytes: number, total: number) {
  const seconds = (performance.now() - first.at) / 1000;
  if (seconds < SETTLED_SECONDS || bytes <= first.bytes) return undefined;
  return ((total - bytes) * seconds) / (bytes - first.bytes);
}

/** Returns a duration in words, such as "20 seconds" or "3 minutes". */
function duration(seconds: number): string {
  const [value, unit] =
    seconds < 90 ? [Math.ceil(seconds / 5) * 5, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(RED.i18n.lang(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
