/** The panel of the voice settings: a number input for each setting. A blank input means the default. */
import { element, textOf } from '@herald-speech/browser';
import { reasonsIn } from './no-effect.js';
import { rowsInDialog } from './rows.js';
import { formatSettings, parseSettings, type Range, type Ranges } from './settings.js';

/** Returns the panel that Node-RED opens from the row's expand button. */
export function settingsEditor(ranges: Ranges, node: EditorNode): TypedInputExpand {
  return {
    icon: 'fa-sliders',
    minWidth: 440,
    content(container) {
      const reasonFor = reasonsIn(rowsInDialog(), node);
      const rows = Object.entries(ranges).map(([name, range]) =>
        settingRow({ name, range, whyIgnored: reasonFor(name) }, this, node),
      );
      container.append(element('div', { className: 'herald-settings' }, ...rows));
      return {};
    },
  };
}

interface Setting {
  name: string;
  range: Range;
  /** The reason if the setting has no effect. */
  whyIgnored: string | undefined;
}

function settingRow(setting: Setting, widget: TypedInputWidget, node: EditorNode): HTMLElement {
  const { name, range, whyIgnored } = setting;
  const { min, max } = range;
  const hint = whyIgnored ?? node._('settings.range', { min, max });
  const input = numberInput(name, range, widget);
  input.disabled = whyIgnored !== undefined;
  const title = element('span', {}, node._(`settings.${name}`));
  const label = element('label', {}, title, input, element('small', {}, hint));
  label.classList.toggle('herald-lacking', whyIgnored !== undefined);
  return label;
}

function numberInput(name: string, range: Range, widget: TypedInputWidget): HTMLInputElement {
  const bounds = { min: String(range.min), max: String(range.max), step: 'any' };
  const input = element('input', { type: 'number', ...bounds, placeholder: String(range.default) });
  input.value = textOf(parseSettings(widget.value())?.[name]);
  input.addEventListener('input', () => {
    const isValid = input.checkValidity();
    input.classList.toggle('input-error', !isValid);
    if (isValid) widget.value(withSetting(widget.value(), name, input.value));
  });
  return input;
}

/** Returns the settings with one changed. A blank value removes the setting. */
function withSetting(text: string, name: string, value: string): string {
  const { [name]: _former, ...others } = parseSettings(text) ?? {};
  return formatSettings(value === '' ? others : { ...others, [name]: Number(value) });
}
