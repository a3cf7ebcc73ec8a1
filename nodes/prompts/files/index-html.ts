import type { Text } from '@herald-speech/client';
import { isRaw } from '../../runtime/media-types.js';
import { localeOfTranslator, localize, type Translator } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import type { PromptFile } from './prompt-file.js';

/** Colours of the system follow its light or dark mode. On paper, the players are left out. */
const STYLE = `
:root { color-scheme: light dark; }
body { background: Canvas; color: CanvasText; font: 1rem/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .4rem .6rem; text-align: start; vertical-align: top; }
th { white-space: nowrap; }
.text { overflow-wrap: anywhere; white-space: pre-line; width: 60%; }
.file { overflow-wrap: anywhere; width: 40%; }
.number, .duration { font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap; }
a { color: LinkText; }
audio { display: block; width: 14rem; }
@media screen and (max-width: 45rem) {
  thead { display: none; }
  tr { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); display: block; padding: .4rem 0; }
  td { border: 0; display: block; padding: .1rem 0; }
  td.text, td.file { width: auto; }
  td.number, td.duration { text-align: start; }
  audio { width: 100%; }
}
@media print {
  @page { margin: 15mm; }
  body { font-size: 10pt; margin: 0; max-width: none; padding: 0; }
  tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  .player { display: none; }
}
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text as HTML, also for the value of an attribute in quotes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Texts and numbers of the sheet in the language of the reader, as HTML. */
interface Words {
  locale: string;
  title: string;
  say(text: Text): string;
  seconds(value: number): string;
}

/**
 * Yields `index.html`: a page without scripts, for the screen and for paper. The addresses of the files are relative, so the
 * folder can be moved or served.
 * @param title heading; blank for the default
 */
export function* htmlLines(
  files: readonly PromptFile[],
  title: string,
  translator: Translator,
): Generator<string, void, undefined> {
  const words = wordsOf(title, translator);
  yield headOf(words, files);
  for (const [index, file] of files.entries()) yield rowOf(file, index + 1, words);
  yield '</tbody>\n</table>\n</main>\n</body>\n</html>\n';
}

function wordsOf(title: string, translator: Translator): Words {
  const locale = localeOfTranslator(translator);
  const seconds = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    maximumFractionDigits: 1,
    minimumFractionDigits: 1,
  });
  const translated = (text: Text) => escaped(localize(translator, text));
  return {
    locale: escaped(locale),
    title: title.trim() === '' ? translated(say('index-title')) : escaped(title),
    say: translated,
    seconds: (value) => escaped(seconds.format(value)),
  };
}

function headOf({ locale, title, say: translated }: Words, files: readonly PromptFile[]): string {
  const duration = clock(files.reduce((sum, { seconds }) => sum + seconds, 0));
  const heading = (name: string, text: Text) => `<th scope="col" class="${name}">${translated(text)}</th>`;
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Herald">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${translated(say('index-summary', { count: files.length, duration }))}</p>
<table>
<thead>
<tr>
${heading('number', say('index-number'))}
${heading('text', say('index-text'))}
${heading('file', say('index-file'))}
${heading('duration', say('index-duration'))}
${heading('player', say('index-player'))}
</tr>
</thead>
<tbody>
`;
}

function rowOf({ filename, text, language, seconds }: PromptFile, number: number, words: Words): string {
  const url = escaped(filename.split('/').map(encodeURIComponent).join('/'));
  const label = words.say(say('index-play', { file: filename }));
  const lang = /^[a-z]{2,3}$/i.test(language) ? ` lang="${language}"` : '';
  const player = isRaw(filename)
    ? ''
    : `<audio controls preload="none" src="${url}" aria-label="${label}"></audio>`;
  return `<tr>
<td class="number">${number}</td>
<td class="text" dir="auto"${lang}>${escaped(text)}</td>
<td class="file"><a href="${url}">${escaped(filename)}</a></td>
<td class="duration">${words.seconds(seconds)}</td>
<td class="player">${player}</td>
</tr>
`;
}

/** Returns a duration as `h:mm:ss`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value % 60).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60))}:${two(whole)}`;
}
