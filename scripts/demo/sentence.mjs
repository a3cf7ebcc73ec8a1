/** The example flow of `npm start` in the language of the user. */

/** @type {Readonly<Record<string, string>>} */
const sentences = {
  de: 'Hallo! Das ist Herald. Ich spreche auf diesem Computer, ohne Konto und ohne Netz.',
  es: '¡Hola! Esto es Herald. Hablo desde este ordenador, sin cuenta y sin red.',
  fr: 'Bonjour ! Ici Herald. Je parle depuis cet ordinateur, sans compte et sans réseau.',
  it: 'Ciao! Questo è Herald. Parlo da questo computer, senza account e senza rete.',
  ja: 'こんにちは。Heraldです。このコンピューターから、アカウントもネットワークもなしで話しています。',
  ko: '안녕하세요! 헤럴드입니다. 계정도 네트워크도 없이 이 컴퓨터에서 말하고 있습니다.',
};

/**
 * Returns the flow with its sentence and the language of its account in the language of a locale. For a locale without a
 * sentence, the flow stays English.
 * @param {string} json the flow `examples/first-words.json`
 * @param {string} locale such as `de-DE`
 */
export function inLanguage(json, locale) {
  const language = locale.slice(0, 2).toLowerCase();
  const sentence = sentences[language];
  if (sentence === undefined) return json;
  /** @type {Record<string, unknown>[]} */
  const nodes = JSON.parse(json);
  const changed = nodes.map((node) => {
    if (node['id'] === 'fw-inject') return { ...node, payload: sentence };
    return node['type'] === 'herald-account' ? { ...node, language } : node;
  });
  return `${JSON.stringify(changed, undefined, 2)}\n`;
}

/** The locale of the user, from the environment or the operating system. */
export const userLocale = () => new Intl.DateTimeFormat().resolvedOptions().locale;
