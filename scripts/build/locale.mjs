/** Generates the locale files of a node: its labels and its help in one language. */
import { labelledNames } from './account-form.mjs';
import { ENGLISH, helpIn, textNames, textsIn } from './texts.mjs';

/**
 * The node whose catalogue has the status texts and error messages of all nodes (`nodes/runtime/localize.ts`). English has no
 * file for them: the nodes and the client contain the English texts.
 */
const RUNTIME_CATALOGUE = 'account';

/** @typedef {import('./texts.mjs').Words} Words */

/**
 * @param {string} name file name of the node without extension
 * @param {string} page the node's page; its fields and panels select the shared labels
 * @param {string} language the code of the locale, such as `de`
 * @param {Pick<import('./interface-facts.mjs').Facts, 'defaultModels' | 'voiceSettings'>} facts
 * @returns {[file: string, content: string][]}
 */
export function localeFiles(name, page, language, { defaultModels, voiceSettings }) {
  const nodeWords = textsIn(name, language);
  const words = pickWords(page, textsIn('shared', language), nodeWords);
  if (nodeWords['keywords']) words['keywords'] = searchWords(nodeWords, textsIn(name, ENGLISH));
  if (name === RUNTIME_CATALOGUE) {
    Object.assign(words, fieldLabels(language, voiceSettings));
    if (language !== ENGLISH) words['runtime'] = textsIn('runtime', language);
  }
  const help = helpIn(name, language)
    .replace('{{properties}}\n', () => propertyLines(name, page, words))
    .replace('{{inputs}}\n', () => helpIn('inputs', language))
    .replace('{{priority}}\n', () => helpIn('priority', language))
    .replace('{{failures}}\n', () => helpIn('failures', language))
    .replace('{{models}}', defaultModels)
    .replace(PICTURE, (_, alt, picture) => bothThemes(alt, picture));
  const target = `locales/${language}/${name}`;
  return [
    [`${target}.json`, json(words)],
    [`${target}.html`, `<script type="text/markdown" data-help-name="herald-${name}">\n${help}</script>\n`],
  ];
}

/**
 * Generates the locale file of a plugin of the editor: its labels, and the shared texts of failed requests.
 * @param {string} name file name of the plugin without extension
 * @param {string} language
 * @returns {[file: string, content: string]}
 */
export function pluginLocale(name, language) {
  const words = { trouble: textsIn('shared', language)['trouble'], ...textsIn(name, language) };
  return [`locales/${language}/${name}.json`, json(words)];
}

/**
 * Returns the JSON of a locale file. The texts `help` are part of the help.
 * @param {Words} words
 */
const json = (words) => `${JSON.stringify(words, (key, value) => (key === 'help' ? undefined : value), 2)}\n`;

/**
 * Describes the properties of a node in the order of its dialog, as a list in Markdown.
 * @param {string} name file name of the node without extension
 * @param {string} page
 * @param {Words} words
 * @throws Error for a field without the text `help`
 */
function propertyLines(name, page, { account, fields = {} }) {
  const placeOf = (/** @type {string} */ field) => page.indexOf(`fields.${field}.label`);
  const order = Object.keys(fields).toSorted((one, other) => placeOf(one) - placeOf(other));
  const rows = [account, ...order.map((field) => fields[field])];
  return rows
    .map(({ label, help }, index) => {
      if (help !== undefined) return `- **${withoutSoftHyphens(label)}**: ${help}\n`;
      throw new Error(
        `nodes/locales/${name}.json: fields.${order[index - 1]} has no help. Add the text "help".`,
      );
    })
    .join('');
}

/**
 * Returns the search words of the palette: in each language also the English name and words, which users know from
 * examples and forums.
 * @param {Words} nodeWords
 * @param {Words} english the English texts of the node
 */
function searchWords({ keywords }, english) {
  return [...new Set([english['label'], english['keywords'], keywords])].join(' ');
}

/**
 * Returns the labels of all fields by name, for error messages: `labels` of fields that a message can also set, and `options`
 * of the account and the speaker.
 * @param {string} language
 * @param {object} voiceSettings
 * @returns {Words}
 */
function fieldLabels(language, voiceSettings) {
  const names = textNames().filter((name) => name !== 'runtime');
  const labels = names.flatMap((name) => {
    const { fields = {}, settings = {} } = textsIn(name, language);
    const fieldWords = Object.entries(fields).filter(([, words]) => words.label !== undefined);
    const settingWords = Object.entries(settings).filter(([setting]) => setting in voiceSettings);
    return [...settingWords, ...fieldWords.map(([field, words]) => [field, withoutSoftHyphens(words.label)])];
  });
  const account = textsIn(RUNTIME_CATALOGUE, language);
  const { service, url, key, rate } = account;
  const rows = Object.fromEntries(labelledNames.map((name) => [name, account[name]]));
  const { max_volume, wake_up } = textsIn('speaker', language);
  const speaker = { max_volume: { label: max_volume }, wake_up };
  const options = { service, url, apiKey: key, requestsPerMinute: rate, ...rows, ...speaker };
  return {
    labels: Object.fromEntries(labels),
    options: Object.fromEntries(
      Object.entries(options).map(([option, words]) => [option, withoutSoftHyphens(words.label)]),
    ),
  };
}

/**
 * Labels have soft hyphens, where a narrow form breaks a long word. Messages and logs do not need them.
 * @param {string} label
 */
const withoutSoftHyphens = (label) => label.replaceAll('\u00AD', '');

/**
 * Returns the shared labels that the page uses, overridden by the node's labels.
 * @param {string} page
 * @param {Words} shared
 * @param {Words} nodeWords
 * @returns {Words}
 */
function pickWords(page, shared, nodeWords) {
  const {
    palette,
    fields,
    settings,
    more,
    sections,
    summary,
    picker,
    preview,
    try: tryIt,
    speakers,
    trouble,
    ...common
  } = shared;
  const used = Object.entries(fields).filter(([field]) => page.includes(`fields.${field}.`));
  const words = {
    // The first node of the palette names the category.
    ...(page.includes("category: 'speech'") && { palette }),
    ...(page.includes('heraldSpeech.prepareForm') && common),
    ...(page.includes('data-i18n="more"') && { more }),
    ...(page.includes('herald-summary') && { summary }),
    ...(page.includes('"sections.') && { sections: sectionsOf(sections, page) }),
    ...(/prepareAccount|data-voices|herald-preview|herald-clone/.test(page) && { picker, trouble }),
    ...(/prepareSpeaker|data-nodes/.test(page) && { speakers, trouble }),
    ...(page.includes('herald-preview') && { preview }),
    ...(/herald-(try|prompts)/.test(page) && { try: tryIt }),
    ...(used.length > 0 && { fields: Object.fromEntries(used) }),
    ...(page.includes('voiceSettings') && { settings }),
  };
  return merge(words, nodeWords);
}

/**
 * @param {Words} sections
 * @param {string} page
 */
const sectionsOf = (sections, page) =>
  Object.fromEntries(Object.entries(sections).filter(([section]) => page.includes(`"sections.${section}"`)));

/**
 * @param {Words} base
 * @param {Words} over
 * @returns {Words}
 */
function merge(base, over) {
  const changed = Object.entries(over).map(([key, value]) => {
    const former = base[key];
    const isTree = typeof former === 'object' && typeof value === 'object';
    return [key, isTree ? merge(former, value) : value];
  });
  return { ...base, ...Object.fromEntries(changed) };
}

/** A line of Markdown that shows a picture; the same picture for dark themes is in the folder `dark`. */
const PICTURE = /^!\[(.+)\]\(\.\.\/pictures\/light\/(.+\.png)\)$/gm;

/**
 * Returns two images. The style sheet hides the one of the other theme, so the browser does not load it.
 * @param {string} alt
 * @param {string} picture
 */
function bothThemes(alt, picture) {
  const image = (/** @type {string} */ scheme) =>
    `<img class="herald-picture herald-in-${scheme}" loading="lazy" alt="${alt}" src="resources/@herald-speech/node-red/pictures/${scheme}/${picture}">`;
  return image('light') + image('dark');
}
