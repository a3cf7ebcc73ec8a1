/** Generates the form of a node's dialog from the properties of its definition. */

/**
 * @typedef {import('@herald-speech/client').z.ZodObject} RequestSchema
 * @typedef {import('../nodes/runtime/define-node.js').NodeDefinition<RequestSchema>} Definition
 * @typedef {import('../nodes/runtime/properties.js').Property} Property
 * @typedef {import('./interface-facts.mjs').Facts} Facts
 */

/** @typedef {Property & {field: string, id: string}} Row `field` is the request's field, `id` the saved property. */

/**
 * @param {Definition} definition
 * @param {(field: string) => string} savedName
 * @returns {Row[]}
 */
export function rowsOf({ properties }, savedName) {
  return Object.entries(properties).flatMap(([field, property]) =>
    property === undefined ? [] : [{ field, id: savedName(field), ...property }],
  );
}

/**
 * @param {Definition} definition
 * @param {readonly Row[]} rows
 * @returns {Record<string, 'quote' | 'choice' | 'voice' | 'text'>} how the canvas label shows each saved property, in
 *   the order of the definition
 */
export function labelStyles({ label = [] }, rows) {
  const shown = label.flatMap((field) => rows.filter((row) => row.field === field));
  return Object.fromEntries(shown.map((row) => [row.id, labelStyle(row)]));
}

/** @param {Row} row */
function labelStyle({ field, choices, voices }) {
  if (field === 'text') return 'quote';
  if (choices !== undefined) return 'choice';
  return voices === undefined ? 'text' : 'voice';
}

/**
 * @param {Definition} definition
 * @param {readonly Row[]} rows
 * @param {Facts} facts
 * @returns {string} the template that Node-RED shows as the node's dialog
 */
export function formTemplate({ type, below, hasNote = false }, rows, facts) {
  const front = rows.filter(({ more }) => !more);
  const folded = rows.filter(({ more }) => more);
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
${front.map(rowTemplate).join('\n')}${hasNote ? NOTE : ''}${panelTemplate(below, facts)}${foldTemplate(folded)}
  </div>
</script>`;
}

const NOTE = '\n    <p class="herald-note" data-i18n="note"></p>';

/**
 * The element that `nodes/editor/form/` fills with the panel.
 * @param {Definition['below']} below
 * @param {Facts} facts
 */
function panelTemplate(below, { maxTextLength, maxSampleBytes, voiceFilters: { preset, own } }) {
  if (below === undefined) return '';
  /** @type {Record<NonNullable<typeof below>, Record<string, string>>} */
  const data = {
    try: { 'data-max-length': String(maxTextLength) },
    clone: { 'data-max-bytes': String(maxSampleBytes) },
    preview: { 'data-preset-filters': preset.join(' '), 'data-own-filters': own.join(' ') },
  };
  return `\n    <div class="herald-${below}" ${attributesOf(data[below])}></div>`;
}

/** @param {readonly Row[]} rows */
function foldTemplate(rows) {
  if (rows.length === 0) return '';
  return `
    <details class="herald-more">
      <summary data-i18n="more"></summary>
${rows.map(rowTemplate).join('\n')}
    </details>`;
}

/**
 * A row; `nodes/editor/form/form.ts` turns it into a typed input by its data attributes.
 * @param {Row} row
 */
function rowTemplate({ field, id, icon, types, choices, voices, onlyFor, template }) {
  const data = {
    'data-field': field,
    'data-types': types.join(' '),
    ...(choices && { 'data-choices': choices.join(' ') }),
    ...(voices && { 'data-voices': voices }),
    ...(template && { 'data-template': '' }),
    ...(onlyFor && { 'data-only-for': conditionsOf(onlyFor) }),
    'data-i18n': `[placeholder]fields.${field}.blank`,
  };
  return `    <div class="form-row">
      <label for="node-input-${id}"><i class="fa fa-${icon}"></i> <span data-i18n="fields.${field}.label"></span></label>
      <input type="text" id="node-input-${id}" ${attributesOf(data)}>
      <input type="hidden" id="node-input-${id}Type">
    </div>`;
}

/** @param {NonNullable<Property['onlyFor']>} onlyFor */
const conditionsOf = (onlyFor) =>
  Object.entries(onlyFor)
    .map(([field, values]) => `${field}=${values.join('|')}`)
    .join(' ');

/** @param {Readonly<Record<string, string>>} data */
const attributesOf = (data) =>
  Object.entries(data)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');
