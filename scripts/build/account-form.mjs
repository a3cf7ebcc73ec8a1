/** Generates rows of the account's dialog. */

/**
 * @typedef {object} Row
 * @property {string} id the saved property
 * @property {string} [icon] a row without an icon has no field
 * @property {'number' | 'text' | 'password' | 'check' | 'shown' | readonly string[]} [kind] `shown` for a text to copy; the
 *   values of a list; default a number
 * @property {string} [usual] the default, which a blank field shows
 * @property {string} [label] the key of the label; default the id with `.label`
 * @property {string} [list] the id of a list of offered values
 * @property {readonly string[]} [offered] the values of the list before a script fills it
 * @property {boolean} [noted] the row has the text `note`
 * @property {boolean} [stated] the row has a note that a script fills in, with the id `herald-ID-state`
 * @property {readonly (readonly [name: string, icon: string])[]} [buttons] the buttons of the row, with the ids `herald-ID-NAME`
 */

/**
 * The rows of each mark in the page, with their icons. `nodes/editor/account/account-values.ts` has the rules of the numbers.
 * @type {Record<string, Row[]>}
 */
const MARKS = {
  address: [
    {
      id: 'address',
      icon: 'globe',
      kind: 'text',
      usual: 'tcp://192.168.1.5:10200',
      list: 'herald-wyoming-servers',
      noted: true,
      stated: true,
    },
  ],
  model: [
    {
      id: 'model',
      icon: 'cogs',
      kind: 'text',
      usual: 'tts-1',
      list: 'herald-models',
      offered: ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'],
      noted: true,
    },
  ],
  speech: [
    { id: 'voices', icon: 'users', kind: 'text', usual: 'alloy, nova', noted: true },
    { id: 'maxTextLength', icon: 'text-width', usual: '4096', noted: true },
    { id: 'instructions', icon: 'commenting-o', kind: 'text', noted: true },
  ],
  network: [
    { id: 'proxy', icon: 'random', kind: 'text', noted: true },
    { id: 'tls', icon: 'lock', kind: 'text', noted: true },
  ],
  reading: [{ id: 'figuresAsWords', icon: 'sort-numeric-asc', kind: 'check', noted: true }],
  fallback: [
    { id: 'fallback', icon: 'life-ring', kind: [], label: 'fallback.account', noted: true },
    { id: 'fallbackAfter', icon: 'hourglass-half', usual: '10', noted: true },
  ],
  budget: [
    {
      id: 'budgetUnit',
      icon: 'balance-scale',
      kind: ['seconds', 'credits'],
      stated: true,
    },
    { id: 'budgetPerDay', icon: 'calendar-o' },
    { id: 'budgetPerMonth', icon: 'calendar' },
    { id: 'budgetPerMessage', icon: 'envelope-o' },
    { id: 'creditsPerSecond', icon: 'tag' },
    { id: 'budget', stated: true },
  ],
  cache: [
    { id: 'cache', icon: 'archive', kind: 'check', label: 'cache.use' },
    { id: 'cacheSize', icon: 'database', usual: '256' },
    { id: 'cache', buttons: [['clear', 'trash']], stated: true },
  ],
  limits: [
    { id: 'attempts', icon: 'repeat' },
    { id: 'concurrency', icon: 'tasks' },
    { id: 'clonesPerMinute', icon: 'clone' },
    { id: 'connectTimeout', icon: 'plug' },
    { id: 'firstByteTimeout', icon: 'hourglass-start' },
    { id: 'totalTimeout', icon: 'hourglass-end' },
    { id: 'maxRetryAfter', icon: 'clock-o', noted: true },
    { id: 'replaceHash', icon: 'hashtag', kind: 'check', noted: true },
  ],
  players: [
    { id: 'audioPort', icon: 'plug', noted: true },
    { id: 'audioHost', icon: 'sitemap', kind: 'text', noted: true },
    { id: 'audioBaseUrl', icon: 'link', kind: 'text', noted: true },
  ],
  programs: [
    { id: 'programs', icon: 'sitemap', kind: ['off', 'computer', 'network'], label: 'programs.access' },
    { id: 'programsConsent', icon: 'unlock-alt', kind: 'check', stated: true },
    { id: 'programsPort', icon: 'plug', usual: '7800' },
    { id: 'programsUrl', icon: 'link', kind: 'shown', buttons: [['copy', 'clipboard']], noted: true },
    { id: 'programsKey', icon: 'key', kind: 'password', buttons: [['copy', 'clipboard']] },
    { id: 'programsKey', buttons: [['create', 'plus']], stated: true },
    { id: 'programsVoices', icon: 'users', kind: 'text', usual: 'ja-yuki, alloy=de-anna', noted: true },
    { id: 'wyoming', icon: 'home', kind: 'check', noted: true },
    { id: 'wyomingPort', icon: 'plug', usual: '10200' },
    { id: 'wyomingUrl', icon: 'link', kind: 'shown', buttons: [['copy', 'clipboard']] },
    { id: 'console', buttons: [['open', 'external-link']], stated: true },
  ],
  fleet: [
    { id: 'fleetUrl', icon: 'sitemap', kind: 'text', usual: 'redis://' },
    { id: 'fleetUser', icon: 'user-o', kind: 'text' },
    { id: 'fleetPassword', icon: 'key', kind: 'password', noted: true },
    { id: 'fleetTls', icon: 'lock', kind: 'text', noted: true },
    { id: 'fleetPrefix', icon: 'tag', kind: 'text', usual: 'herald:' },
    { id: 'fleetCache', icon: 'archive', kind: ['redis', 'folder'] },
    { id: 'fleetCacheSize', icon: 'database', usual: '256' },
    { id: 'fleetWork', icon: 'tasks', kind: 'check', noted: true },
  ],
};

/** The texts with a rule. */
const CHECKED_TEXTS = new Set(['address', 'fleetUrl', 'audioHost', 'audioBaseUrl']);

/** Limits in milliseconds in the client, in seconds in the dialog. */
const TIMEOUTS = ['connectTimeout', 'firstByteTimeout', 'totalTimeout'];

const rows = Object.values(MARKS).flat();

/** The saved properties whose labels error messages use (`scripts/build/locale.mjs`). */
export const labelledNames = rows
  .filter(({ icon, label }) => icon !== undefined && label === undefined)
  .map(({ id }) => id);

/**
 * @param {string} page `nodes/account.html` with marks such as `{{limits}}`
 * @param {Record<string, unknown>} clientDefaults
 * @returns {string} the page with the rows, which `nodes/editor/account/` finds by their ids
 */
export const withRows = (page, clientDefaults) =>
  Object.entries(MARKS).reduce(
    (filled, [mark, rows]) =>
      filled.replace(`{{${mark}}}`, rows.map((row) => rowOf(row, clientDefaults)).join('\n')),
    page,
  );

/**
 * @param {Row} row
 * @param {Record<string, unknown>} clientDefaults
 */
function rowOf(row, clientDefaults) {
  const { id, icon, label = `${id}.label`, buttons = [] } = row;
  const added = buttons.map(([name, symbol]) => buttonOf(row, name, symbol)).join('');
  if (icon === undefined)
    return `<div class="form-row"><span></span><div>${added}${notesOf(row)}</div></div>`;
  return `<div class="form-row${added && ' herald-with-button'}" data-shows="${id}">
        <label for="node-config-input-${id}"><i class="fa fa-${icon}"></i> <span data-i18n="${label}"></span></label>
        ${fieldOf(row, placeholderOf(row, clientDefaults))}${added}${notesOf(row)}
      </div>`;
}

/**
 * @param {Row} row
 * @param {string} name
 * @param {string} symbol
 */
function buttonOf({ id }, name, symbol) {
  const label = name === 'copy' ? 'programs.copy' : `${id}.${name}`;
  return `<button type="button" class="red-ui-button" id="herald-${id}-${name}" aria-describedby="herald-${id}-state">
          <i class="fa fa-${symbol}" aria-hidden="true"></i> <span data-i18n="${label}"></span></button>`;
}

/** @param {Row} row */
function notesOf(row) {
  const { id, noted = false, stated = false } = row;
  return [
    noted ? `<p class="herald-note" id="herald-${id}-note" data-i18n="${id}.note"></p>` : '',
    stated ? `<p class="herald-note" id="herald-${id}-state" role="status"></p>` : '',
    hasProblem(row) ? `<p class="herald-note herald-problem" id="${problemId(row)}" role="status"></p>` : '',
  ].join('');
}

/** @param {Row} row */
const hasProblem = ({ id, icon, kind = 'number' }) =>
  icon !== undefined && (kind === 'number' || CHECKED_TEXTS.has(id));

/** @param {Row} row */
const problemId = ({ id }) => `herald-${id}-problem`;

/**
 * @param {Row} row
 * @param {Record<string, unknown>} clientDefaults
 */
function placeholderOf({ id, usual }, clientDefaults) {
  const value = Number(clientDefaults[id]) / (TIMEOUTS.includes(id) ? 1000 : 1);
  return usual ?? (Number.isNaN(value) ? '' : String(value));
}

/**
 * @param {Row} row
 * @param {string} placeholder
 */
function fieldOf(row, placeholder) {
  const { id, kind = 'number', noted = false, stated = false, list, offered = [] } = row;
  const describing = [
    ...(noted ? [`herald-${id}-note`] : []),
    ...(stated ? [`herald-${id}-state`] : []),
    ...(hasProblem(row) ? [problemId(row)] : []),
  ];
  const described = describing.length > 0 ? ` aria-describedby="${describing.join(' ')}"` : '';
  const field = `id="node-config-input-${id}"${described}`;
  if (typeof kind === 'object') {
    const options = kind.map((value) => `<option value="${value}" data-i18n="${id}.${value}"></option>`);
    return `<select ${field}>${options.join('')}</select>`;
  }
  if (kind === 'shown') return `<input type="text" ${field} readonly>`;
  if (kind === 'check') return `<input type="checkbox" ${field}>`;
  const hint = placeholder === '' ? '' : ` placeholder="${placeholder}"`;
  const values = offered.map((value) => `<option value="${value}"></option>`);
  const datalist = list === undefined ? '' : `<datalist id="${list}">${values.join('')}</datalist>`;
  const listed = list === undefined ? '' : ` list="${list}"`;
  const mode = kind === 'number' ? ' inputmode="decimal"' : '';
  return `<input type="${kind === 'password' ? 'password' : 'text'}" ${field}${mode}${hint}${listed}>${datalist}`;
}
