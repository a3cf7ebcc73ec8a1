/** The panel behind the button of the voice settings: a number for each, blank for the usual one. */
import { ignores, modelsIn } from './models.js';
import { isLiteral, literalOf, rowsInDialog } from './rows.js';
import { formatSettings, parseSettings, type Range, type Ranges } from './settings.js';
import { textOf } from '../text.js';

/** @param ranges of the settings that there are */
export function settingsEditor(ranges: Ranges, node: EditorNode): TypedInputExpand {
  return {
    icon: 'fa-sliders',
    minWidth: 440,
    content(container) {
      const list = document.createElement('div');
      list.className = 'herald-settings';
      const lacking = modelThatLacks(node);
      const rows = Object.entries(ranges).map(([name, range]) =>
        settingRow({ name, range, lacking: lacking(name) }, this, node),
      );
      list.append(...rows);
      container.append(list);
      return {};
    },
  };
}

/** Tells of a setting which model lacks it: the one that is typed, or the usual one where none is. */
function modelThatLacks(node: EditorNode): (setting: string) => string | undefined {
  const models = modelsIn(node._def['models']);
  const rows = rowsInDialog();
  const row = rows.find(({ field }) => field === 'model');
  const [usual = ''] = Object.keys(models);
  const isKnown = row === undefined || isLiteral(row);
  const model = literalOf(rows, 'model') || usual;
  return (setting) => (isKnown && ignores(models, model, setting) ? model : undefined);
}

interface Setting {
  name: string;
  range: Range;
  /** The model that ignores it. */
  lacking: string | undefined;
}

function settingRow(setting: Setting, row: TypedInputWidget, node: EditorNode): HTMLElement {
  const { name, range, lacking } = setting;
  const label = document.createElement('label');
  const words = document.createElement('span');
  words.textContent = node._(`settings.${name}`);
  const bounds = document.createElement('small');
  const { min, max } = range;
  bounds.textContent =
    lacking === undefined
      ? node._('settings.range', { min, max })
      : node._('settings.lacking', { model: lacking });
  label.classList.toggle('herald-lacking', lacking !== undefined);
  const input = numberInput(name, range, row);
  input.disabled = lacking !== undefined;
  label.append(words, input, bounds);
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
