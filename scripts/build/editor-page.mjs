/** Generates a node's editor page from its definition: the template of the form, and the registration. */
import { formTemplate, labelStyles, rowsOf } from './editor-form.mjs';

/**
 * @typedef {import('./editor-form.mjs').Definition} Definition
 * @typedef {import('./editor-form.mjs').Row} Row
 * @typedef {import('./interface-facts.mjs').Facts} Facts
 * @typedef {import('./interface-facts.mjs').Rules} Rules
 */

/**
 * @param {string} name file name of the node without extension, such as `text-to-speech`
 * @param {Definition} definition the definition passed to `defineNode`
 * @param {Facts} facts
 * @returns {string} HTML with an inline registration: Node-RED's package validator requires a literal type and literal
 *   defaults there
 */
export function editorPage(name, definition, facts) {
  const rows = rowsOf(definition, facts);
  const { voiceSettings, localSettings, models, fileFormats } = facts;
  const registered = {
    ...(rows.some(hasSettings) && { voiceSettings, localSettings, models }),
    ...(rows.some(isFile) && { fileFormats }),
    ...(definition.needs !== undefined && { needs: definition.needs }),
    ...(rows.some(isTemplate) && { templates: rows.filter(isTemplate).map(({ field }) => field) }),
    rules: rulesOf(definition, rows, facts),
    onlyFor: Object.fromEntries(rows.flatMap(({ field, onlyFor }) => (onlyFor ? [[field, onlyFor]] : []))),
  };
  return `${formTemplate(definition, rows, facts)}
<script type="module" src="resources/@herald-speech/node-red/editor.js"></script>
<script type="text/javascript">
  RED.nodes.registerType('${definition.type}', {
    category: 'speech',
    color: '#8fc4bd',
    defaults: {
      name: { value: '' },
      account: { value: '', type: 'herald-account', required: false },${definition.speaks === true ? "\n      locale: { value: '' }," : ''}
${rows.map(defaultsOf).join('\n')}
    },
    inputs: 1,
    outputs: ${facts.ports.length},
    icon: '${name}.svg',
    label: function () { return heraldSpeech.nodeLabel(this, ${JSON.stringify(labelStyles(definition, rows))}); },
    paletteLabel: function () { return this._('label'); },
    labelStyle: function () { return this.name ? 'red-ui-flow-node-label-italic' : ''; },
    outputLabels: function (port) { return this._('ports.' + [${facts.ports.map(quoted).join(', ')}][port]); },
${Object.entries(registered)
  .map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`)
  .join('')}    onadd: function () { heraldSpeech.prepareNew(this); },
    oneditprepare: function () { heraldSpeech.prepareForm(this); },
    oneditsave: function () { heraldSpeech.saveForm(this); },
    onpaletteadd: function () { heraldSpeech.addKeywords(this); },
  });
</script>
`;
}

/** @param {Row} row */
const hasSettings = ({ field }) => field === 'voice_settings';

/** @param {Row} row */
const isFile = ({ field }) => field === 'filename';

/** @param {Row} row */
const isTemplate = ({ template }) => template !== undefined;

/**
 * Returns the rules of the fields: also those that the request leaves to an operation, and numbers whose range only the runtime knows.
 * @param {Definition} definition
 * @param {readonly Row[]} rows
 * @param {Facts} facts
 * @returns {Rules}
 */
function rulesOf({ request }, rows, facts) {
  const numbers = rows
    .filter(({ source }) => source === 'num')
    .map(({ field }) => [field, { type: 'number' }]);
  const schemas = rows.flatMap(({ field, rule }) => (rule === undefined ? [] : [[field, rule()]]));
  return {
    ...Object.fromEntries(numbers),
    ...facts.rulesOf({ ...request().shape, ...Object.fromEntries(schemas) }),
  };
}

/** @param {Row} row */
function defaultsOf(row) {
  const { id, value, source, nodes } = row;
  const type = nodes === undefined ? '' : ` type: '${nodes}[]',`;
  return `      ${id}: { value: ${quoted(value)},${type} validate: ${validatorOf(row)} },
      ${id}Type: { value: '${source}' },`;
}

/** @param {Row} row */
function validatorOf(row) {
  const { field, id, nodes } = row;
  const validates = (/** @type {string} */ call) =>
    `function (value, options) { return heraldSpeech.${call}; }`;
  if (hasSettings(row)) return validates('validateSettings(this, value)');
  const check = nodes === undefined ? 'validateField' : 'validateNodeList';
  return validates(`${check}(this, '${field}', '${id}', value)`);
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
