import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lazy, z } from '@herald-speech/client';
import type { Request } from 'express';
import type { Translator } from './localize.js';

/** The built locales. Node-RED itself loads only its own language and the languages of editors that were opened since its start. */
const FOLDER = path.resolve(__dirname, '../locales');

type Words = Readonly<Record<string, unknown>>;

/**
 * Returns a translator for the language of the editor, the first one in the header `Accept-Language`. Without the header, or
 * without a translation to this language, uses the language of Node-RED.
 */
export function editorTranslator(RED: Translator, request: Pick<Request, 'acceptsLanguages'>): Translator {
  const [wanted = ''] = request.acceptsLanguages();
  return editorTranslators().get(baseOf(wanted)) ?? RED;
}

/** Returns a translator for each language of the editor by its code without a region, such as `de`. */
export const editorTranslators = lazy((): ReadonlyMap<string, Translator> => {
  const languages = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return new Map(languages.map(({ name }) => [baseOf(name), translatorOf(name)]));
});

function translatorOf(language: string): Translator {
  const catalogue = lazy(() => catalogueOf(language));
  return { _: (id) => textAt(catalogue(), id.split(':').at(-1) ?? '') };
}

const baseOf = (language: string): string => language.split('-')[0]?.toLowerCase() ?? '';

function catalogueOf(language: string): Words {
  const file = readFileSync(path.join(FOLDER, language, 'account.json'), 'utf8');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(file));
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
