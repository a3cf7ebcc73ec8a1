import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lazy, z } from '@herald-speech/client';
import type { Request } from 'express';
import type { Translator } from '../../runtime/localize.js';

/** The built locales. Node-RED itself loads only its own language and the languages of editors that were opened since its start. */
const FOLDER = path.resolve(__dirname, '../../locales');
const languages = lazy(() => readdirSync(FOLDER));

type Words = Readonly<Record<string, unknown>>;
const catalogues = new Map<string, Words>();

/**
 * Returns a translator for the language of the editor, the first one in the header `Accept-Language`. Without the header, or
 * without a translation to this language, uses the language of Node-RED.
 */
export function editorTranslator(RED: Translator, request: Pick<Request, 'acceptsLanguages'>): Translator {
  const [wanted = ''] = request.acceptsLanguages();
  const language = languages().find((one) => baseOf(one) === baseOf(wanted));
  if (language === undefined) return RED;
  const catalogue = catalogueOf(language);
  return { _: (id) => textAt(catalogue, id.split(':').at(-1) ?? '') };
}

const baseOf = (language: string): string => language.split('-')[0]?.toLowerCase() ?? '';

function catalogueOf(language: string): Words {
  const known = catalogues.get(language);
  if (known !== undefined) return known;
  const file = readFileSync(path.join(FOLDER, language, 'account.json'), 'utf8');
  const catalogue = z.record(z.string(), z.unknown()).parse(JSON.parse(file));
  catalogues.set(language, catalogue);
  return catalogue;
}

/** Returns the text of a dotted key, '' without one. */
function textAt(catalogue: Words, key: string): string {
  const found = key
    .split('.')
    .reduce<unknown>(
      (words, name) => (typeof words === 'object' && words !== null ? Reflect.get(words, name) : undefined),
      catalogue,
    );
  return typeof found === 'string' ? found : '';
}
