/** The look of the boxes and progress bars of natural voices in the console. */
import { element, type Surface } from '@herald-speech/browser';
import { attempt, quietButton } from '../lib/dom.js';
import { size } from '../lib/format.js';
import { language } from '../lib/text.js';
import { importProgressOf, progressOf } from './words.js';

export const surface: Surface = {
  language,
  size,
  steps: (isCopy) => (isCopy ? importProgressOf : progressOf),
  button: quietButton,
  field: (label, input) => element('label', {}, label, input),
  removal(label, name, act) {
    const remove = quietButton(label, name);
    remove.addEventListener('click', act);
    return remove;
  },
  attempt,
  classes: {
    native: 'native',
    import: 'import',
    fields: 'fields finder',
    start: '',
    line: 'line',
    progress: 'line',
    step: 'note',
    note: 'note',
    status: 'status',
  },
};
