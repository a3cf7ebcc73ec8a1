import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from '@herald-speech/client';
import type { Translator } from '../../../nodes/runtime/localize.js';
import { ENGLISH, LANGUAGES, textsIn } from '../../../scripts/build/texts.mjs';

const BUILT = path.resolve(__dirname, '../../../dist/nodes/locales');
const nodeRedRequire = createRequire(createRequire(require.resolve('node-red')).resolve('@node-red/util'));

/** The languages that have translations of the status texts and error messages. */
export const languages = LANGUAGES.filter((language) => language !== ENGLISH);

/** Returns the translated status texts and error messages by key. */
export const runtimeTexts = (language: string): Record<string, string> =>
  z.record(z.string(), z.string()).parse(textsIn('runtime', language));

const builtAccount = z.object({
  labels: z.record(z.string(), z.string()),
  options: z.record(z.string(), z.string()),
});

/** Returns the labels of fields and options that the build adds to the catalogue of the account. */
function labelsIn(language: string): z.output<typeof builtAccount> {
  const file = path.join(BUILT, language, 'account.json');
  return builtAccount.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Returns the translation function of Node-RED for a language: its i18n library with its options. */
export async function translatorFor(language: string): Promise<Translator> {
  const instance = nodeRedRequire('i18next').createInstance();
  const runtime = languages.includes(language) ? runtimeTexts(language) : {};
  const namespace = '@herald-speech/node-red/herald-account';
  await instance.init({
    lng: language,
    showSupportNotice: false,
    resources: { [language]: { [namespace]: { ...labelsIn(language), runtime } } },
    interpolation: { unescapeSuffix: 'HTML', escapeValue: false, prefix: '__', suffix: '__' },
  });
  return { _: instance.t };
}
