/** Generates the form of a node's dialog from the properties of its definition. */

/**
 * @typedef {import('@herald-speech/client').z.ZodObject} RequestSchema
 * @typedef {import('../../nodes/lib/define-node.js').NodeDefinition<RequestSchema>} Definition
 * @typedef {import('../../nodes/lib/property.js').Property} Property
 * @typedef {import('./interface-facts.mjs').Facts} Facts
 */

/**
 * @typedef {Property & {field: string, id: string, isOn: boolean, isTried: boolean, isRequired: boolean, languages: readonly string[], path: string | undefined}} Row `field` is the request's field, `id` the saved property.
 *   `isOn`: the default of the request is true; `isTried`: the request of "Try it" has the field; `isRequired`: neither the request nor the account has a default; `languages`: codes to choose from; `path`: the saved property whose
 *   typed path is a source of this row
 */

/**
 * @param {Definition} definition
 * @param {Pick<Facts, 'savedName' | 'onByDefault' | 'triedFields' | 'languages'>} facts
 * @returns {Row[]}
 */
export function rowsOf({ properties, request }, { savedName, onByDefault, triedFields, languages: all }) {
  const schema = request();
  const on = onByDefault(schema);
  return Object.entries(properties).flatMap(([field, property]) => {
    const languages = field === 'language' ? all : [];
    const path = Object.keys(properties).find((other) => properties[other]?.pathFor === field);
    const isTried = triedFields.includes(field);
    // Only the action requires the id of a custom voice.
    const isRequired =
      property?.voices === 'own' || !(schema.shape[field]?.safeParse(undefined).success ?? true);
    const facts = {
      field,
      id: savedName(field),
      isOn: on.includes(field),
      isTried,
      isRequired,
      languages,
      path,
    };
    return property === undefined ? [] : [{ ...facts, ...property }];
  });
}

/**
 * @param {Definition} definition
 * @param {readonly Row[]} rows
 * @returns {Record<string, 'quote' | 'choice' | 'voice' | 'path' | 'text'>} how the canvas label shows each saved property, in
 *   the order of the definition
 */
export function labelStyles({ label = [] }, rows) {
  const shown = label.flatMap((field) => rows.filter((row) => row.field === field));
  return Object.fromEntries(shown.map((row) => [row.id, labelStyle(row)]));
}

/** @param {Row} row */
function labelStyle({ field, choices, voices, pathFor }) {
  if (field === 'text') return 'quote';
  if (pathFor !== undefined || field === 'folder') return 'path';
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
  const loose = rows.filter(({ section }) => section === undefined);
  const sections = sectionsTemplate(rows, facts);
  const panel = `${hasNote ? NOTE : ''}${panelTemplate(below, facts)}`;
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
${loose.length === 0 ? sections + panel : [frontTemplate(loose) + panel + moreTemplate(loose), sections].filter(Boolean).join('\n')}
  </div>
</script>`;
}

/** Sections that are open in a new dialog. */
const OPEN = ['say', 'voice', 'output'];

/**
 * The sections that have rows. A fold "More" in a section has the rows that few users need. Below the section with the base URL is
 * the fold that checks it.
 * @param {readonly Row[]} rows
 * @param {Facts} facts
 */
function sectionsTemplate(rows, { sections }) {
  return sections
    .map((section) => ({ section, rows: rows.filter((row) => row.section === section) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ section, rows }) => {
      const place = { fold: section, key: `sections.${section}`, isOpen: OPEN.includes(section) };
      const fold = foldTemplate(place, frontTemplate(rows) + moreTemplate(rows, `${section}-more`));
      return rows.some(({ field }) => field === 'base_url') ? fold + REACH : fold;
    })
    .join('\n');
}

/** @param {readonly Row[]} rows */
const frontTemplate = (rows) =>
  rows
    .filter(({ more }) => !more)
    .map(rowTemplate)
    .join('\n');

/**
 * @param {readonly Row[]} rows
 * @param {string} [fold]
 */
function moreTemplate(rows, fold = 'more') {
  const folded = rows.filter(({ more }) => more);
  if (folded.length === 0) return '';
  return `\n${foldTemplate({ fold, key: 'more', isOpen: false }, folded.map(rowTemplate).join('\n'))}`;
}

/**
 * A fold; `nodes/editor/form/folds.ts` writes its summary.
 * @param {{fold: string, key: string, isOpen: boolean}} place
 * @param {string} content
 */
const foldTemplate = ({ fold, key, isOpen }, content) => `    <details class="herald-more${
  key === 'more' ? '' : ' herald-section'
}" data-fold="${fold}"${isOpen ? ' data-front open' : ''}>
      <summary><span data-i18n="${key}"></span> <small class="herald-summary"></small></summary>
${content}
    </details>`;

/** The fold that `nodes/editor/reach/` fills, and hides without output `url`. */
const REACH = `
    <details class="herald-more herald-section" data-fold="reach" hidden>
      <summary><span data-i18n="reach.title"></span> <small></small></summary>
      <div class="herald-reach"></div>
    </details>`;

const NOTE = '\n    <p class="herald-note" data-i18n="note"></p>';

/**
 * The element that `nodes/editor/` fills with the panel.
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
    prompts: { 'data-max-length': String(maxTextLength) },
  };
  return `\n    <div class="herald-${below}" ${attributesOf(data[below])}></div>`;
}

/**
 * A row; `nodes/editor/form/typed-rows.ts` turns it into a typed input by its data attributes.
 * @param {Row} row
 */
function rowTemplate({
  field,
  id,
  icon,
  types,
  choices,
  voices,
  template,
  isOn,
  isTried,
  isRequired,
  languages,
  path,
  pathFor,
  nodes,
}) {
  const isFlag = types.includes('bool');
  const data = {
    'data-field': field,
    'data-types': (path === undefined ? types : [types[0], 'path', ...types.slice(1)]).join(' '),
    ...(path && { 'data-path': path }),
    ...(pathFor && { 'data-path-for': pathFor }),
    ...(choices && { 'data-choices': choices.join(' ') }),
    ...(voices && { 'data-voices': voices, ...(isRequired && { 'data-required': '' }) }),
    ...(nodes && { 'data-nodes': nodes }),
    ...(template && { 'data-template': '' }),
    ...(isTried && { 'data-tried': '' }),
    ...(languages.length > 0 && { 'data-languages': languages.join(' ') }),
    ...(isFlag && { 'data-usual': isOn ? 'yes' : 'no' }),
    ...(!isFlag && { 'data-i18n': `[placeholder]fields.${field}.blank` }),
  };
  return `    <div class="form-row">
      <label for="node-input-${id}"><i class="fa fa-${icon}"></i> <span data-i18n="fields.${field}.label"></span></label>
      <input type="text" id="node-input-${id}" ${attributesOf(data)}>
      <input type="hidden" id="node-input-${id}Type">
    </div>`;
}

/** @param {Readonly<Record<string, string>>} data */
const attributesOf = (data) =>
  Object.entries(data)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');
