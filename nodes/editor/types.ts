/** The types that a row offers: Node-RED's own, and ours where blank or a choice has a meaning. */
import { rangesIn } from './settings.js';
import { settingsEditor } from './settings-editor.js';
import { validateSettings } from './validate.js';

/**
 * @param name a type of Node-RED's typed input
 * @param input the row's input, with what the build wrote about the property
 */
export function typesOf(name: string, input: HTMLInputElement, node: EditorNode): string | TypedInputType {
  const { choices, field } = input.dataset;
  if (name === 'str' && choices !== undefined) return choiceType(choices.split(' '), input, node);
  if (name === 'json' && field === 'voice_settings') return settingsType(node);
  if (name === 'num') return { ...own('num', '09'), validate: numberProblem(node) };
  return name;
}

/** As Node-RED's own type, which can't be changed in part. */
function own(value: string, icon: string): TypedInputType {
  return {
    value,
    label: RED._(`node-red:typedInput.type.${value}`),
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
    expand: settingsEditor(rangesIn(node._def.voiceSettings), node),
  };
}

const numberProblem =
  (node: EditorNode) =>
  (text: string): true | string =>
    text === '' || /^\$\{[^}]+\}$/.test(text) || Number.isFinite(Number(text)) || node._('not-a-number');
