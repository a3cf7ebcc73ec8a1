/** Generates the rows of the account's numbers. */

/** @typedef {{id: string, icon: string, usual?: string}} NumberRow `usual` is the default, which a blank field shows. */

/** The rows of each fold, with their icons (`nodes/editor/account/account-values.ts`). */
const FOLDS = {
  fallback: [{ id: 'fallbackAfter', icon: 'hourglass-half', usual: '10' }],
  budget: [
    { id: 'budgetPerDay', icon: 'calendar-o' },
    { id: 'budgetPerMessage', icon: 'envelope-o' },
    { id: 'creditsPerSecond', icon: 'tag' },
  ],
  cache: [{ id: 'cacheSize', icon: 'database', usual: '256' }],
  limits: [
    { id: 'attempts', icon: 'repeat' },
    { id: 'concurrency', icon: 'tasks' },
    { id: 'clonesPerMinute', icon: 'clone' },
    { id: 'connectTimeout', icon: 'plug' },
    { id: 'firstByteTimeout', icon: 'hourglass-start' },
    { id: 'totalTimeout', icon: 'hourglass-end' },
    { id: 'maxRetryAfter', icon: 'clock-o' },
  ],
};

/** Limits in milliseconds in the client, in seconds in the dialog. */
const TIMEOUTS = ['connectTimeout', 'firstByteTimeout', 'totalTimeout'];

/** The names of the saved numbers. */
export const numberNames = Object.values(FOLDS).flatMap((rows) => rows.map(({ id }) => id));

/**
 * @param {string} page `nodes/account.html` with a mark such as `{{limits}}` in each fold
 * @param {Record<string, unknown>} clientDefaults
 * @returns {string} the page with the rows, which `nodes/editor/account/` finds by their ids
 */
export const withNumberRows = (page, clientDefaults) =>
  Object.entries(FOLDS).reduce(
    (filled, [fold, rows]) =>
      filled.replace(`{{${fold}}}`, rows.map((row) => rowOf(row, clientDefaults)).join('\n')),
    page,
  );

/**
 * @param {NumberRow} row
 * @param {Record<string, unknown>} clientDefaults
 */
function rowOf({ id, icon, usual }, clientDefaults) {
  const input = `node-config-input-${id}`;
  const problem = `herald-${id}-problem`;
  const value = Number(clientDefaults[id]) / (TIMEOUTS.includes(id) ? 1000 : 1);
  const placeholder = usual ?? (Number.isNaN(value) ? '' : String(value));
  return `<div class="form-row">
        <label for="${input}"><i class="fa fa-${icon}"></i> <span data-i18n="${id}.label"></span></label>
        <input type="text" id="${input}" inputmode="decimal" placeholder="${placeholder}" aria-describedby="${problem}">
        <p class="herald-note herald-problem" id="${problem}" role="status"></p>
      </div>`;
}
