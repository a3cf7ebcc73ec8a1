/** Generates the locale files of a node: its labels and its help in one language. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { labelledNames } from './account-form.mjs';

/**
 * The node whose catalogue has the status texts and error messages of all nodes (`nodes/runtime/localize.ts`). English has no
 * file for them: the nodes and the client contain the English texts.
 */
const RUNTIME_CATALOGUE = 'account';

/** @typedef {{[key: string]: string | Words}} Words Labels and messages as a tree. */

/**
 * @param {string} name file name of the node without extension
 * @param {string} page the node's page; its fields and panels select the shared labels
 * @param {string} folder the locale's folder, such as `nodes/locales/de`
 * @param {Pick<import('./interface-facts.mjs').Facts, 'defaultModels' | 'voiceSettings'>} facts
 * @returns {[file: string, content: string][]}
 */
export function localeFiles(name, page, folder, { defaultModels, voiceSettings }) {
  const read = (/** @type {string} */ file) => readFileSync(path.join(folder, file), 'utf8');
  const nodeWords = JSON.parse(read(`${name}.json`));
  const words = pickWords(page, JSON.parse(read('shared.json')), nodeWords);
  if (nodeWords.keywords) words['keywords'] = searchWords(nodeWords, read(`../${ENGLISH}/${name}.json`));
  if (name === RUNTIME_CATALOGUE) {
    Object.assign(words, fieldLabels(folder, read, voiceSettings));
    if (existsSync(path.join(folder, 'runtime.json'))) words['runtime'] = JSON.parse(read('runtime.json'));
  }
  const help = read(`${name}.md`)
    .replace('{{inputs}}\n', () => read('inputs.md'))
    .replace('{{priority}}\n', () => read('priority.md'))
    .replace('{{failures}}\n', () => read('failures.md'))
    .replace('{{models}}', defaultModels)
    .replace(PICTURE, (_, alt, picture) => bothThemes(alt, picture));
  const target = `locales/${path.basename(folder)}/${name}`;
  return [
    [`${target}.json`, `${JSON.stringify(words, undefined, 2)}\n`],
    [`${target}.html`, `<script type="text/markdown" data-help-name="herald-${name}">\n${help}</script>\n`],
  ];
}

/**
 * Generates the locale file of a plugin of the editor: its labels, and the shared texts of failed requests.
 * @param {string} name file name of the plugin without extension
 * @param {string} folder the locale's folder
 * @returns {[file: string, content: string]}
 */
export function pluginLocale(name, folder) {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const words = { trouble: read('shared.json').trouble, ...read(`${name}.json`) };
  return [`locales/${path.basename(folder)}/${name}.json`, `${JSON.stringify(words, undefined, 2)}\n`];
}

const ENGLISH = 'en-US';

/**
 * Returns the search words of the palette: in each language also the English name and words, which users know from
 * examples and forums.
 * @param {{keywords: string}} nodeWords
 * @param {string} englishFile content of the English locale file
 */
function searchWords({ keywords }, englishFile) {
  const english = JSON.parse(englishFile);
  return [...new Set([english.label, english.keywords, keywords])].join(' ');
}

/**
 * Returns the labels of all fields by name, for error messages: `labels` of fields that a message can also set, and `options`
 * of the account and the speaker.
 * @param {string} folder
 * @param {(file: string) => string} read
 * @param {object} voiceSettings
 * @returns {Words}
 */
function fieldLabels(folder, read, voiceSettings) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'runtime.json');
  const labels = files.flatMap((file) => {
    const { fields = {}, settings = {} } = JSON.parse(read(file));
    const fieldWords = Object.entries(fields).filter(([, words]) => words.label !== undefined);
    const settingWords = Object.entries(settings).filter(([setting]) => setting in voiceSettings);
    return [...settingWords, ...fieldWords.map(([field, words]) => [field, withoutSoftHyphens(words.label)])];
  });
  const account = JSON.parse(read(`${RUNTIME_CATALOGUE}.json`));
  const { service, url, key, rate } = account;
  const rows = Object.fromEntries(labelledNames.map((name) => [name, account[name]]));
  const { max_volume, wake_up } = JSON.parse(read('speaker.json'));
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
 * @param {Words & {fields: Words, sections: Words}} shared
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
const PICTURE = /^!\[(.+)\]\(\.\.\/\.\.\/pictures\/light\/(.+\.png)\)$/gm;

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
