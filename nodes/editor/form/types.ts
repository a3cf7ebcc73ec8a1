/** The types that a row's typed input offers. */
import { hasLanguages, languagePanel, toCode } from './languages/language.js';
import { isNodeList, nodeListType } from './node-list.js';
import { PATH, type Row } from './rows.js';
import { settingsEditor } from './panels/settings-editor.js';
import { defaultsOf } from './summary.js';
import { fromLine, hasLines, textEditor } from './panels/text-editor.js';
import { problemOfTyped, validateSettings } from './validate.js';

/** Returns the name of a Node-RED type, or a type object for choices, voice settings and validated values. */
export function typesOf(name: string, row: Row, node: EditorNode): string | TypedInputType {
  const { input, field } = row;
  const { choices } = input.dataset;
  if (name === 'str' && choices !== undefined) return choiceType(choices.split(' '), row, node);
  if (name === 'bool') return flagType(row, node);
  if (name === PATH)
    return {
      value: PATH,
      label: node._(`fields.${input.dataset['path'] ?? ''}.label`),
      icon: 'fa fa-file-text-o',
    };
  if (name === 'json' && field === 'voice_settings') return settingsType(row, node);
  if (name === 'json') return isNodeList(row) ? nodeListType(node) : jsonType(node);
  const icon = { str: 'az', num: '09' }[name];
  if (icon === undefined) return name;
  const type = {
    ...nodeRedType(name, icon),
    validate: (text: string) => problemOfTyped(node, field, text) ?? true,
  };
  if (name === 'str' && hasLanguages(row))
    return { ...type, export: toCode, expand: languagePanel(row, node) };
  if (name === 'str' && hasLines(row)) return { ...type, export: fromLine, expand: textEditor(row, node) };
  return type;
}

/** Returns a copy of a Node-RED type to extend: Node-RED only accepts a type name or a complete type. */
function nodeRedType(value: string, icon: string): TypedInputType {
  return {
    value,
    label: RED._(`typedInput.type.${value}`),
    icon: `red/images/typedInput/${icon}.svg`,
  };
}

/**
 * Returns a list of choices. The list includes the saved value even if it is not a choice. A blank value and the choice of a new
 * node mean the same (docs/decisions/0039), so the list has only one of them.
 */
function choiceType(choices: readonly string[], row: Row, node: EditorNode): TypedInputType {
  const { field, input, type } = row;
  const usual = defaultsOf(row, node).value;
  const value = type.value === 'str' ? input.value : usual;
  const needless = value === '' ? usual : '';
  const offered = ['', ...choices].filter((choice) => usual === '' || choice !== needless);
  const labelOf = (choice: string) =>
    node._(choice === '' ? `fields.${field}.blank` : `fields.${field}.choices.${choice}`);
  const known = offered.map((choice) => ({ value: choice, label: labelOf(choice) }));
  const unknown = offered.includes(value) ? [] : [{ value, label: value }];
  return { ...nodeRedType('str', 'az'), options: [...known, ...unknown] };
}

/** The labels of a blank flag, by the value that applies if the message has none. */
const FROM_MESSAGE: Readonly<Record<string, string>> = { no: 'flag.or-no', yes: 'flag.or-yes' };

/** Returns the list of a flag. A property that no message can set has only "No" and "Yes". */
function flagType({ input }: Row, node: EditorNode): TypedInputType {
  const { types = '', usual = 'no' } = input.dataset;
  const blank = { value: '', label: node._(FROM_MESSAGE[usual] ?? '') };
  const options = [
    { value: 'false', label: node._('flag.no') },
    { value: 'true', label: node._('flag.yes') },
    ...(types.split(' ').includes('msg') ? [blank] : []),
  ];
  return { ...nodeRedType('bool', 'bool'), options };
}

/** Returns Node-RED's type for JSON, except that a blank value is valid: it means the message field or the default. */
function jsonType(node: EditorNode): TypedInputType {
  return {
    ...nodeRedType('json', 'json'),
    validate: (text) => isBlankOrJson(text) || node._('rules.json'),
    expand() {
      RED.editor.editJSON({ value: this.value(), complete: (text) => this.value(text) });
    },
  };
}

function isBlankOrJson(text: string): boolean {
  try {
    return text.trim() === '' || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

function settingsType(row: Row, node: EditorNode): TypedInputType {
  return {
    ...nodeRedType('json', 'json'),
    validate: (text) => validateSettings(node, text),
    expand: settingsEditor(row, node._def.voiceSettings ?? {}, node),
  };
}
