/** Flite's phones (ARPAbet, with `ax` for an unstressed vowel) in the International Phonetic Alphabet. */
const ipa: Readonly<Record<string, string>> = {
  aa: 'ɑ',
  ae: 'æ',
  ah: 'ʌ',
  ao: 'ɔ',
  aw: 'aʊ',
  ax: 'ə',
  axr: 'ɚ',
  ay: 'aɪ',
  b: 'b',
  ch: 'tʃ',
  d: 'd',
  dh: 'ð',
  dx: 'ɾ',
  eh: 'ɛ',
  el: 'l̩',
  em: 'm̩',
  en: 'n̩',
  er: 'ɝ',
  ey: 'eɪ',
  f: 'f',
  g: 'ɡ',
  hh: 'h',
  hv: 'ɦ',
  ih: 'ɪ',
  ix: 'ɨ',
  iy: 'i',
  jh: 'dʒ',
  k: 'k',
  l: 'l',
  m: 'm',
  n: 'n',
  ng: 'ŋ',
  nx: 'ɾ̃',
  ow: 'oʊ',
  oy: 'ɔɪ',
  p: 'p',
  r: 'ɹ',
  s: 's',
  sh: 'ʃ',
  t: 't',
  th: 'θ',
  uh: 'ʊ',
  uw: 'u',
  v: 'v',
  w: 'w',
  y: 'j',
  z: 'z',
  zh: 'ʒ',
};

/**
 * Converts a phone of Flite to IPA. A final digit, the stress of a vowel (1 primary, 2 secondary), becomes the stress mark.
 * @returns `''` for a pause or an unknown phone
 */
export function toIpa(phone: string): string {
  const [, name = '', stress = ''] = /^([a-z]+)([012]?)$/.exec(phone.toLowerCase()) ?? [];
  const symbol = ipa[name];
  if (symbol === undefined) return '';
  return (stress === '1' ? 'ˈ' : stress === '2' ? 'ˌ' : '') + symbol;
}
