import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';

const LOCALES = path.resolve(__dirname, '../../nodes/locales');
const nodeRedRequire = createRequire(createRequire(require.resolve('node-red')).resolve('@node-red/util'));

/** The languages that have translations of the status texts and error messages. */
export const languages = readdirSync(LOCALES).filter((language) => language !== 'en-US');

/** Returns the translated status texts and error messages by key. */
export function runtimeTexts(language: string): Record<string, string> {
  const file = path.join(LOCALES, language, 'runtime.json');
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Returns the translation function of Node-RED for a language: its i18n library with its options. */
export async function translatorFor(language: string): Promise<Pick<NodeAPI, '_'>> {
  const instance = nodeRedRequire('i18next').createInstance();
  const namespace = '@herald-speech/node-red/herald-account';
  await instance.init({
    lng: language,
    showSupportNotice: false,
    resources: { [language]: { [namespace]: { runtime: runtimeTexts(language) } } },
    interpolation: { unescapeSuffix: 'HTML', escapeValue: false, prefix: '__', suffix: '__' },
  });
  return { _: instance.t };
}
