/** Reads simple elements of the XML that UPnP devices send. All functions need linear time for any text. */

/** Returns the contents of all elements with a name that have no attributes and are not nested in each other. */
export function elementsIn(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const contents: string[] = [];
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const start = at + open.length;
    const end = xml.indexOf(close, start);
    if (end < 0) return contents;
    contents.push(xml.slice(start, end));
    at = end;
  }
  return contents;
}

/** Returns the text of the first element with a name; '' without one. */
export const textIn = (xml: string, name: string): string => decoded(elementsIn(xml, name)[0] ?? '').trim();

/** An opening tag with its attributes. */
interface Tag {
  name: string;
  values: ReadonlyMap<string, string>;
}

/** Returns the opening tags with one of the names in their order. */
export const tagsIn = (xml: string, names: readonly string[]): Tag[] =>
  [...xml.matchAll(/<(\w{1,40})(\s[^<>]*)>/g)].flatMap(([, name = '', rest = '']) =>
    names.includes(name) ? [{ name, values: attributesIn(rest) }] : [],
  );

const attributesIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/\s(\w{1,40})="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)]),
  );

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const decoded = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Returns a text that can stand in an element or an attribute. */
export const escaped = (text: string): string =>
  text.replace(/[<>"'&]/g, (character) => `&#${character.charCodeAt(0)};`);
