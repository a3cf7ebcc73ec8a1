/** The types that a row offers: Node-RED's own, and ours where blank or a choice has a meaning. */
import type { Row } from './rows.js';
import { rangesIn } from './settings.js';
import { settingsEditor } from './settings-editor.js';
import { problemOfTyped, validateSettings } from './validate.js';

/** A type of Node-RED's typed input, as a row needs it. */
export function typesOf(name: string, { input, field }: Row, node: EditorNode): string | TypedInputType {
  const { choices } = input.dataset;
  if (name === 'str' && choices !== undefined) return choiceType(choices.split(' '), input, node);
  if (name === 'json' && field === 'voice_settings') return settingsType(node);
  const icon = { str: 'az', num: '09' }[name];
  if (icon === undefined) return name;
  return { ...own(name, icon), validate: (text) => problemOfTyped(node, field, text) ?? true };
}

/** As Node-RED's own type, which can't be changed in part. */
function own(value: string, icon: string): TypedInputType {
  return {
    value,
    label: RED._(`typedInput.type.${value}`),
    icon: `red/images/typedInput/${icon}.svg`,
  };
}

/** A word of some, or blank; a saved one that is not among them stays. */
function choiceType(
  choices: readonly string[],
  { value, dataset }: HTMLInputElement,
  node: EditorNode,
): TypedInputType {
  const key = `fields.${dataset['field'] ?? ''}`;
  const unknown = value === '' || choices.includes(value) ? [] : [{ value, label: value }];
  const known = choices.map((choice) => ({ value: choice, label: node._(`${key}.choices.${choice}`) }));
  return {
    ...own('str', 'az'),
    options: [{ value: '', label: node._(`${key}.blank`) }, ...known, ...unknown],
  };
}

function settingsType(node: EditorNode): TypedInputType {
  return {
    ...own('json', 'json'),
    validate: (text) => validateSettings(node, text),
    expand: settingsEditor(rangesIn(node._def['voiceSettings']), node),
  };
}
