/** The panel of the voice settings: an input for each setting. A blank input means the default. */
import { element } from '@herald-speech/browser';
import { showStatus } from '../../lib/dom.js';
import { reasonsIn } from '../no-effect.js';
import { rowPanel } from './row-panel.js';
import { type Row, rowsInDialog } from '../rows.js';
import {
  formatSettings,
  isIn,
  parseSettings,
  type Range,
  type Ranges,
  settingText,
  withSetting,
} from '../rules/settings.js';
import { validateSettings } from '../validate.js';

/** Returns the panel that Node-RED opens from the row's expand button. */
export const settingsEditor = (row: Row, ranges: Ranges, node: EditorNode): TypedInputExpand =>
  rowPanel(row, {
    icon: 'fa-sliders',
    minWidth: 440,
    content(widget) {
      const reasonFor = reasonsIn(rowsInDialog(), node);
      const isReadable = parseSettings(widget.value()) !== undefined;
      const rows = Object.entries(ranges).map(([name, range]) =>
        settingRow({ name, range, whyIgnored: reasonFor(name), isReadable }, widget, node),
      );
      const notes = isReadable ? [] : [unreadableNote(widget.value(), node)];
      return element('div', { className: 'herald-settings' }, ...notes, ...rows);
    },
  });

/** Returns the note about a text that the panel cannot show: an environment variable, or no JSON object. */
function unreadableNote(text: string, node: EditorNode): HTMLElement {
  const valid = validateSettings(node, text);
  const note = element('p', { className: 'herald-note', role: 'status' });
  showStatus(note, valid === true ? text : valid, valid !== true);
  return note;
}

interface Setting {
  name: string;
  range: Range;
  /** The reason if the setting has no effect. */
  whyIgnored: string | undefined;
  /** Whether the panel can change the text of the row. */
  isReadable: boolean;
}

function settingRow(setting: Setting, widget: TypedInputWidget, node: EditorNode): HTMLElement {
  const { name, range, whyIgnored } = setting;
  const { min, max } = range;
  const hint = whyIgnored ?? node._('settings.range', { min, max });
  const note = element('p', {
    className: 'herald-note herald-problem',
    role: 'status',
    id: `herald-setting-${name}-problem`,
  });
  const input = settingInput(setting, widget, (isValid) => {
    const field = node._(`settings.${name}`);
    note.textContent = isValid ? '' : node._('rules.range', { field, min, max });
    keepInWindow(note);
  });
  input.setAttribute('aria-describedby', note.id);
  const title = element('span', {}, node._(`settings.${name}`));
  const label = element('label', {}, title, input, element('small', {}, hint));
  label.classList.toggle('herald-lacking', whyIgnored !== undefined);
  return element('div', {}, label, note);
}

/** Moves the open panel up if its notes reach beyond the window. Node-RED places the panel once, by its first height. */
function keepInWindow(note: HTMLElement): void {
  const panel = note.closest<HTMLElement>('.red-ui-popover-panel');
  if (panel === null) return;
  const beyond = panel.getBoundingClientRect().bottom - window.innerHeight;
  if (beyond > 0) panel.style.top = `${Math.max(0, panel.offsetTop - beyond)}px`;
}

/**
 * Returns the input of a setting, which saves each typed value, also an invalid one: as in every other field, the node then has a
 * mark.
 */
function settingInput(
  { name, range, whyIgnored, isReadable }: Setting,
  widget: TypedInputWidget,
  showValid: (isValid: boolean) => void,
): HTMLInputElement {
  const settings = () => parseSettings(widget.value()) ?? {};
  const isValid = () => {
    const { [name]: value } = settings();
    return value === undefined || isIn(value, range);
  };
  const input = element('input', {
    type: 'text',
    inputMode: 'decimal',
    placeholder: String(range.default),
    value: settingText(settings()[name]),
    // An ignored setting still makes the node invalid: the user must be able to correct it.
    disabled: !isReadable || (whyIgnored !== undefined && isValid()),
  });
  const show = () => {
    input.classList.toggle('input-error', !isValid());
    input.ariaInvalid = isValid() ? null : 'true';
    showValid(isValid());
  };
  input.addEventListener('input', () => {
    widget.value(formatSettings(withSetting(settings(), name, input.value)));
    show();
  });
  show();
  return input;
}
