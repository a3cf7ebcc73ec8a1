/** Signs in plain text, and skin tones, which are not spoken. */
const NO_EMOJI =
  /[\u{1f3fb}-\u{1f3ff}]|^[^\p{Extended_Pictographic}\p{Regional_Indicator}]|^[©®™‼⁉〰〽㊗㊙↔-↪]$/u;

/** The names of emoji, without skin tones. @param {string} language @param {(...parts: string[]) => any} read */
export function emojiOf(language, read) {
  const files = ['annotations', 'annotationsDerived'].map((folder) => {
    const name = folder === 'annotations' ? 'cldr-annotations-full' : 'cldr-annotations-derived-full';
    return Object.entries(read(name, folder, language, 'annotations.json')[folder].annotations);
  });
  const names = files.flat().filter(([emoji, { tts }]) => tts !== undefined && !NO_EMOJI.test(emoji));
  return Object.fromEntries(names.map(([emoji, { tts }]) => [emoji, tts[0]]));
}
