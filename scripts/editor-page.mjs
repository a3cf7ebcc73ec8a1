/** The editor's page of a node, from the node's definition: its registration and the rows of its form. */

/** Fields whose rows stand in front; the rows of the others are in the fold. */
const FRONT = new Set([
  'text',
  'files',
  'library',
  'action',
  'report',
  'voice_id',
  'name',
  'description',
  'language',
  'gender',
  'age',
  'use_case',
  'threshold',
  'start_time',
  'end_time',
  'bucket_width',
  'breakdown_type',
  'start_date',
  'end_date',
  'output',
  'filename',
  'base_url',
]);

/** Fields that matter only for some choices of another field, where the node has that. */
const ONLY_FOR = {
  filename: 'output=file',
  base_url: 'output=url',
  voice_id: 'action=get|edit|delete',
  name: 'action=search|edit',
  description: 'action=search|edit',
  page_size: 'action=list|search',
  next_page_token: 'action=list|search',
  pages: 'action=list|search',
  start_time: 'report=time',
  end_time: 'report=time',
  bucket_width: 'report=time',
  breakdown_type: 'report=time',
  start_date: 'report=voice',
  end_date: 'report=voice',
};

/** What the picker beside a voice offers: all voices, but where only own ones make sense. */
const VOICES = { 'custom-voices': 'own' };

/** What stands below the rows in front, for `nodes/editor/` to fill. */
const BELOW = { 'text-to-speech': 'herald-try', 'voice-search': 'herald-preview' };

/**
 * @param name the node's file name, such as `text-to-speech`
 * @param definition what `defineNode` was given
 * @param context `{ports, savedName, voiceSettings, models, rulesOf}`: the names of the outputs, the saved property of a
 *   field, the ranges of the voice settings, what each model can do, and the rules of a request's fields
 * @returns HTML; Node-RED's validator of packages wants the registration inline, with a literal name and defaults
 */
export function editorPage(name, definition, context) {
  const rows = Object.entries(definition.properties).map(([field, property]) => {
    return { field, id: context.savedName(field), ...property };
  });
  const rules = context.rulesOf(definition.request);
  const facts = { ...(rows.some(hasSettings) && context), rules };
  return `${template(name, definition.type, rows)}
<script type="module" src="resources/@herald-speech/node-red/editor.js"></script>
<script type="text/javascript">
  RED.nodes.registerType('${definition.type}', {
    category: 'speech',
    color: '#8fc4bd',
    defaults: {
      name: { value: '' },
      account: { value: '', type: 'herald-account', required: false },
${rows.map((row) => defaultsOf(row, rules)).join('\n')}
    },
    inputs: 1,
    outputs: ${context.ports.length},
    icon: '${name}.svg',
    label: function () { return heraldSpeech.nodeLabel(this); },
    paletteLabel: function () { return this._('label'); },
    labelStyle: function () { return this.name ? 'red-ui-flow-node-label-italic' : ''; },
    outputLabels: function (port) { return this._('ports.' + [${context.ports.map(quoted).join(', ')}][port]); },
${FACTS.filter((fact) => fact in facts)
  .map(
    (fact) => `    ${fact}: ${JSON.stringify(facts[fact])},
`,
  )
  .join('')}    onadd: function () { heraldSpeech.chooseAccount(this); },
    oneditprepare: function () { heraldSpeech.prepareForm(this); },
  });
</script>
`;
}

/** What the registration tells `nodes/editor/` of the interface. */
const FACTS = ['voiceSettings', 'models', 'rules'];

const hasSettings = ({ field }) => field === 'voice_settings';

function defaultsOf(row, rules) {
  const { field, id, value, source } = row;
  const ours = hasSettings(row)
    ? 'heraldSpeech.validateSettings(this, value)'
    : `heraldSpeech.validateField(this, '${field}', '${id}', value)`;
  const validate =
    hasSettings(row) || field in rules
      ? `function (value, options) { return ${ours}; }`
      : `RED.validators.typedInput({ typeField: '${id}Type', allowBlank: true, allowUndefined: true })`;
  return `      ${id}: { value: ${quoted(value)}, validate: ${validate} },
      ${id}Type: { value: '${source}' },`;
}

function template(name, type, rows) {
  const front = rows.filter(({ field }) => FRONT.has(field));
  const more = rows.filter(({ field }) => !FRONT.has(field));
  return `<script type="text/html" data-template-name="${type}">
  <div class="herald-form">
    <div class="form-row">
      <label for="node-input-name"><i class="fa fa-tag"></i> <span data-i18n="name.label"></span></label>
      <input type="text" id="node-input-name" data-i18n="[placeholder]name.blank">
    </div>
    <div class="form-row">
      <label for="node-input-account"><i class="fa fa-key"></i> <span data-i18n="account.label"></span></label>
      <input type="text" id="node-input-account">
    </div>
${front.map((row) => rowOf(row, name)).join('\n')}${below(name)}${more.length === 0 ? '' : fold(more, name)}
  </div>
</script>`;
}

function below(name) {
  return name in BELOW ? `\n    <div class="${BELOW[name]}"></div>` : '';
}

function fold(rows, name) {
  return `
    <details class="herald-more">
      <summary data-i18n="more"></summary>
${rows.map((row) => rowOf(row, name)).join('\n')}
    </details>`;
}

/** `nodes/editor/form.ts` makes a typed input of the row, by its data attributes. */
function rowOf({ field, id, icon, types, choices }, name) {
  const data = {
    'data-field': field,
    'data-types': types.join(' '),
    ...(choices && { 'data-choices': choices.join(' ') }),
    ...(field === 'voice_id' && { 'data-voices': VOICES[name] ?? 'all' }),
    ...(field in ONLY_FOR && { 'data-only-for': ONLY_FOR[field] }),
    'data-i18n': `[placeholder]fields.${field}.blank`,
  };
  const attributes = Object.entries(data).map(([name, value]) => `${name}="${value}"`);
  return `    <div class="form-row">
      <label for="node-input-${id}"><i class="fa fa-${icon}"></i> <span data-i18n="fields.${field}.label"></span></label>
      <input type="text" id="node-input-${id}" ${attributes.join(' ')}>
      <input type="hidden" id="node-input-${id}Type">
    </div>`;
}

const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
