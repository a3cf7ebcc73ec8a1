/** The panel behind the button of the voice settings: a number for each, blank for the usual one. */
import { formatSettings, parseSettings, type Range, type Ranges } from './settings.js';
import { textOf } from './text.js';

/** @param ranges of the settings that there are */
export function settingsEditor(ranges: Ranges, node: EditorNode): TypedInputExpand {
  return {
    icon: 'fa-sliders',
    minWidth: 360,
    content(container) {
      const list = document.createElement('div');
      list.className = 'herald-settings';
      const rows = Object.entries(ranges).map(([name, range]) => settingRow(name, range, this, node));
      list.append(...rows);
      container.append(list);
      return {};
    },
  };
}

function settingRow(name: string, range: Range, row: TypedInputWidget, node: EditorNode): HTMLElement {
  const label = document.createElement('label');
  const words = document.createElement('span');
  words.textContent = node._(`settings.${name}`);
  const bounds = document.createElement('small');
  bounds.textContent = node._('settings.range', { min: range.min, max: range.max });
  label.append(words, numberInput(name, range, row), bounds);
  return label;
}

function numberInput(name: string, range: Range, row: TypedInputWidget): HTMLInputElement {
  const input = document.createElement('input');
  const { min, max } = range;
  Object.assign(input, { type: 'number', min, max, step: 'any', placeholder: String(range.default) });
  input.value = textOf(parseSettings(row.value())?.[name]);
  input.addEventListener('input', () => {
    const valid = input.checkValidity();
    input.classList.toggle('input-error', !valid);
    if (valid) row.value(withSetting(row.value(), name, input.value));
  });
  return input;
}

/** The settings with one of them changed, or without it when it is blank. */
function withSetting(text: string, name: string, value: string): string {
  const { [name]: _former, ...others } = parseSettings(text) ?? {};
  return formatSettings(value === '' ? others : { ...others, [name]: Number(value) });
}
