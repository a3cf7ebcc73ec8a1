/** Adds the services of `nodes/account/services.ts` to the page of the account. */

/**
 * @typedef {typeof import('../../nodes/account/services.js').services} Services
 * @typedef {import('@herald-speech/client').Features} Features
 */

/**
 * The facts of a service that the dialogs read (`nodes/editor/lib/services.ts`).
 * @typedef {object} ServiceFacts
 * @property {boolean} isFree
 * @property {string} key
 * @property {string} addressIn
 * @property {Features['operations']} operations
 * @property {Features['fields']} fields
 * @property {number} maxTextLength
 * @property {string} [defaultVoice]
 */

/**
 * @param {Services} services
 * @param {typeof import('@herald-speech/client')} client
 * @returns {Record<string, ServiceFacts>} the facts by service
 */
export function serviceFactsOf(services, { featuresOf, MAX_TEXT_LENGTH }) {
  const { local, ...remotes } = services;
  /** @type {ServiceFacts} */
  const ofLocal = {
    isFree: local.isFree,
    key: 'none',
    addressIn: '',
    operations: 'all',
    fields: 'all',
    maxTextLength: MAX_TEXT_LENGTH,
  };
  const ofRemotes = Object.entries(remotes).map(([name, { isFree, key, addressIn, example, upstream }]) => {
    const { operations, fields, maxTextLength, defaultVoice } = featuresOf({
      url: example,
      apiKey: 'key',
      upstream: upstream({}),
    });
    const features = { operations, fields, maxTextLength, defaultVoice };
    return /** @type {const} */ ([name, { isFree, key, addressIn, ...features }]);
  });
  return { local: ofLocal, ...Object.fromEntries(ofRemotes) };
}

/**
 * Adds the services to the page: their names in the list, their facts for the scripts, and to each part marked with `data-shows` the
 * services that have it.
 * @param {string} page
 * @param {Services} services
 * @param {Record<string, ServiceFacts>} facts
 */
export function withServices(page, services, facts) {
  const options = Object.keys(services).map(
    (name) => `<option value="${name}" data-i18n="service.${name}"></option>`,
  );
  const having = (/** @type {string} */ part) =>
    Object.entries(services).flatMap(([name, { shows }]) =>
      /** @type {readonly string[]} */ (shows).includes(part) ? [name] : [],
    );
  return page
    .replace('{{services}}', options.join(''))
    .replace('{{facts}}', () => JSON.stringify(facts))
    .replaceAll(/ data-shows="(\w+)"/g, (_, part) =>
      having(part).length === 0 ? '' : ` data-services="${having(part).join(' ')}"`,
    );
}
