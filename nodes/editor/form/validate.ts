/** Validators of saved properties, beside Node-RED's own: true, or what is wrong. */
import { ruleOf, ruleProblem } from './rules.js';
import { isLanguage, isRate, urlProblem } from '../account/service-url.js';
import { rangesIn, settingsProblem } from './settings.js';
import { textOf } from '../text.js';

/** Of voice settings: the ranges where they are JSON, as any typed input otherwise. */
export function validateSettings(node: EditorNode, value: unknown): true | string {
  const open = document.getElementById('node-input-voice_settingsType');
  const type = open instanceof HTMLInputElement ? open.value : node['voice_settingsType'];
  if (type !== 'json') {
    const asTyped = RED.validators.typedInput({
      typeField: 'voice_settingsType',
      allowBlank: true,
      allowUndefined: true,
    });
    return asTyped.call(node, value, {});
  }
  const problem = settingsProblem(textOf(value), rangesIn(node._def['voiceSettings']));
  return problem === undefined || node._(problem.key, problem.values);
}

/** Of a field that the request's schema has a rule for; where it is another source's, as any typed input. */
export function validateField(
  node: EditorNode,
  field: string,
  property: string,
  value: unknown,
): true | string {
  const open = document.getElementById(`node-input-${property}Type`);
  const type = open instanceof HTMLInputElement ? open.value : textOf(node[`${property}Type`]);
  if (type === 'str' || type === 'num') return problemOfTyped(node, field, textOf(value)) ?? true;
  const options = { typeField: `${property}Type`, allowBlank: true, allowUndefined: true };
  return RED.validators.typedInput(options).call(node, value, {});
}

/** What is wrong with a value as it is typed, in words. */
export function problemOfTyped(node: EditorNode, field: string, text: string): string | undefined {
  const rule = ruleOf(node._def['rules'], field);
  const problem = rule && ruleProblem(text.trim(), field, rule);
  return problem && node._(problem.key, { ...problem.values, field: node._(`fields.${field}.label`) });
}

/** Of a hosted account's address; the dialog's choice of the service goes before the saved one. */
export function validateUrl(node: EditorNode, value: unknown): true | string {
  const open = document.getElementById('node-config-input-service');
  const service = open instanceof HTMLSelectElement ? open.value : node['service'];
  const problem = service === 'hosted' ? urlProblem(textOf(value)) : undefined;
  return problem === undefined || node._(problem);
}

/** Of an account's requests a minute. */
export function validateRate(node: EditorNode, value: unknown): true | string {
  return isRate(value) || node._('rate.wrong');
}

/** Of an account's default language. */
export function validateLanguage(node: EditorNode, value: unknown): true | string {
  return isLanguage(value) || node._('language.wrong');
}
