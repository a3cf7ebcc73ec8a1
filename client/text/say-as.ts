import type { Span } from './characters.js';

/** The ways to say a part of a text: the values of `interpret-as` in SSML, and the order of a date in figures. */
export const SAY_AS = [
  'telephone',
  'digits',
  'characters',
  'date',
  'time',
  'ordinal',
  'cardinal',
  'currency',
  'unit',
  'date:dmy',
  'date:mdy',
  'date:ymd',
] as const;
export type SayAs = (typeof SAY_AS)[number];

/** The values of `interpret-as`, for messages. */
export const INTERPRET_AS: readonly string[] = SAY_AS.filter((way) => !way.includes(':'));

/** A part of a text, and the way to say it if the user chose one. */
export interface TextPart {
  text: string;
  as?: SayAs;
}

/** The place of a part that has a way to say it. */
export interface SaySpan extends Span {
  as: SayAs;
}

/*
 * Marks of a part inside a text, while markup and words are replaced: private characters, one for the start in each way and
 * one for the end. No text has them, no service gets them.
 */
const FIRST_MARK = 0xf4a00;
const END_MARK = String.fromCodePoint(FIRST_MARK + SAY_AS.length);
const MARKS = new RegExp(`[${String.fromCodePoint(FIRST_MARK)}-${END_MARK}]`, 'gu');

/** Returns a text with the marks of a way to say it, for `client.speak`. The marks work with any value of `markup`. */
export const sayAs = (text: string, as: SayAs): string =>
  `${String.fromCodePoint(FIRST_MARK + SAY_AS.indexOf(as))}${contentOf(text.replace(MARKS, ''))}${END_MARK}`;

/** Returns a text without the marks of `sayAs`. */
export const withoutMarks = (text: string): string => text.replace(MARKS, '');

const ATTRIBUTE = `\\s+[\\w:.-]+\\s*=\\s*(?:"[^"<>]*"|'[^'<>]*')`;
// No part of the pattern can begin inside an attribute, and the search for the end goes on behind the last one.
const START_TAG = new RegExp(`<say-as(?<attributes>(?:${ATTRIBUTE})*)\\s*>`, 'gi');
const END_TAG = /<\/say-as\s*>/gi;

/** Returns the content of an element without tags `say-as`, which would end it or be spelled out. */
function contentOf(text: string): string {
  const tag = /<\/?say-as\b[^<>]*>/gi;
  const content = text.replace(tag, '');
  // Parts around a tag can make a tag.
  return content.search(tag) === -1 ? content : content.replaceAll('<', '');
}

/** An element `say-as` of a text. */
interface Element extends Span {
  content: string;
  interpretAs: string;
  format: string;
}

/** Returns the elements `say-as` in order. An element without an end counts as text. */
function elementsIn(text: string): Element[] {
  if (!/<say-as\s/i.test(text)) return [];
  const ends = Array.from(text.matchAll(END_TAG), ({ index, 0: tag }) => ({
    at: index,
    end: index + tag.length,
  }));
  const elements: Element[] = [];
  let next = 0;
  for (const { index, 0: tag, groups } of text.matchAll(START_TAG)) {
    const start = index + tag.length;
    if (index < (elements.at(-1)?.end ?? 0)) continue;
    while (next < ends.length && (ends[next]?.at ?? 0) < start) next++;
    const end = ends[next];
    if (end === undefined) break;
    const attributes = groups?.['attributes'] ?? '';
    const valueOf = (name: string) =>
      new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`, 'i').exec(attributes)?.[1]?.trim().toLowerCase() ?? '';
    const facts = { interpretAs: valueOf('interpret-as'), format: valueOf('format') };
    elements.push({ start: index, end: end.end, content: contentOf(text.slice(start, end.at)), ...facts });
  }
  return elements;
}

/** Returns the way of an element; undefined for an unknown one. A date without a known order is read in the order of its language. */
function wayOf({ interpretAs, format }: Element): SayAs | undefined {
  const known = (name: string) => SAY_AS.find((way) => way === name);
  return known(`${interpretAs}:${format}`) ?? (interpretAs.includes(':') ? undefined : known(interpretAs));
}

/** A text with marks in place of its elements `say-as`. */
interface MarkedText {
  text: string;
  /** The unknown values of `interpret-as`, each once. The content of these elements is read as other text. */
  unknown: string[];
}

/** Replaces the elements `say-as` of a text by marks. */
export function markSayAs(text: string): MarkedText {
  const unknown = new Set<string>();
  const marked = replaceElements(text, (element) => {
    const as = wayOf(element);
    if (as === undefined) unknown.add(element.interpretAs);
    return as === undefined ? element.content : sayAs(element.content, as);
  });
  return { text: marked, unknown: [...unknown] };
}

function replaceElements(text: string, replace: (element: Element) => string): string {
  let result = '';
  let done = 0;
  for (const element of elementsIn(text)) {
    result += text.slice(done, element.start) + replace(element);
    done = element.end;
  }
  return result + text.slice(done);
}

/** Returns a text without marks, and the places of the parts that they enclosed, without white space at their ends. */
export function splitMarks(marked: string): { text: string; spans: SaySpan[] } {
  if (marked.search(MARKS) < 0) return { text: marked, spans: [] };
  let text = '';
  let done = 0;
  let open: { as: SayAs; start: number } | undefined;
  const spans: SaySpan[] = [];
  for (const { index, 0: mark } of marked.matchAll(MARKS)) {
    text += marked.slice(done, index);
    done = index + mark.length;
    if (open !== undefined) {
      const content = text.slice(open.start);
      const start = open.start + (content.length - content.trimStart().length);
      const end = open.start + content.trimEnd().length;
      if (end > start) spans.push({ as: open.as, start, end });
    }
    const as = SAY_AS[(mark.codePointAt(0) ?? 0) - FIRST_MARK];
    open = as === undefined ? undefined : { as, start: text.length };
  }
  return { text: text + marked.slice(done), spans };
}

/** Returns the parts of a text between two UTF-16 offsets. A span that goes on outside keeps its way. */
export function partsOf(text: string, { start, end }: Span, spans: readonly SaySpan[]): TextPart[] {
  const parts: TextPart[] = [];
  let done = start;
  for (const span of spans) {
    const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
    if (from >= to) continue;
    if (from > done) parts.push({ text: text.slice(done, from) });
    parts.push({ text: text.slice(from, to), as: span.as });
    done = to;
  }
  if (done < end) parts.push({ text: text.slice(done, end) });
  return parts;
}

/** Returns the parts of a text with elements `say-as`. An element of an unknown kind is text. */
export function sayAsParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  for (const element of elementsIn(text)) {
    const as = wayOf(element);
    if (as === undefined) continue;
    if (element.start > done) parts.push({ text: text.slice(done, element.start) });
    parts.push({ text: element.content.trim(), as });
    done = element.end;
  }
  if (done < text.length) parts.push({ text: text.slice(done) });
  return parts;
}

/** Returns the places of the elements `say-as`, which must not be cut. */
export const sayAsElements = (text: string): Span[] => elementsIn(text);

/** Writes a part as an element `say-as`. */
export function toElement({ text, as }: TextPart): string {
  if (as === undefined) return text;
  const [interpretAs = '', format] = as.split(':');
  return `<say-as interpret-as="${interpretAs}"${format === undefined ? '' : ` format="${format}"`}>${contentOf(text)}</say-as>`;
}
