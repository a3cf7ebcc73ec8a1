/** Generates the rows of the account's limits. */

/** The limits (`nodes/account/limits.ts`) with their icons and the client's defaults, which a blank field shows. */
const LIMITS = [
  { id: 'attempts', icon: 'repeat', usual: 4 },
  { id: 'concurrency', icon: 'tasks', usual: 4 },
  { id: 'clonesPerMinute', icon: 'clone', usual: 10 },
  { id: 'connectTimeout', icon: 'plug', usual: 10 },
  { id: 'firstByteTimeout', icon: 'hourglass-start', usual: 60 },
  { id: 'totalTimeout', icon: 'hourglass-end', usual: 120 },
  { id: 'maxRetryAfter', icon: 'clock-o', usual: 900 },
];

/** The names of the saved limits. */
export const limitNames = LIMITS.map(({ id }) => id);

/** @returns {string} the rows, which `nodes/editor/account/account-form.ts` finds by their ids */
export const limitRows = () => LIMITS.map(rowOf).join('\n');

/** @param {(typeof LIMITS)[number]} limit */
function rowOf({ id, icon, usual }) {
  const input = `node-config-input-${id}`;
  const problem = `herald-${id}-problem`;
  return `<div class="form-row">
        <label for="${input}"><i class="fa fa-${icon}"></i> <span data-i18n="${id}.label"></span></label>
        <input type="text" id="${input}" inputmode="decimal" placeholder="${usual}" aria-describedby="${problem}">
        <p class="herald-note herald-problem" id="${problem}" role="status"></p>
      </div>`;
}
