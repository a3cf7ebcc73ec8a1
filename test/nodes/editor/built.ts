/** Reads the built files of a node, as the editor loads them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { z } from '@herald-speech/client';
import { nodeNames } from '../../support/node-red/node-names.js';
import type { Rule } from '../../../nodes/editor/form/rules/rules.js';

const ROOT = path.resolve(__dirname, '../../..');
const BUILT = path.join(ROOT, 'dist/nodes');
const require = createRequire(__filename);

export { nodeNames as names } from '../../support/node-red/node-names.js';

/** The config nodes. */
const CONFIG: readonly string[] = ['account', 'speaker'];

/** The nodes on the canvas. */
export const flowNames = nodeNames.filter((name) => !CONFIG.includes(name));

const property = z.object({
  source: z.string(),
  value: z.string(),
  types: z.array(z.string()),
  choices: z.array(z.string()).optional(),
  onlyFor: z.record(z.string(), z.array(z.string())).optional(),
});
const exported = z.object({
  definition: z
    .object({ properties: z.record(z.string(), property), speaks: z.boolean().optional() })
    .optional(),
  defaults: z.record(z.string(), z.unknown()).optional(),
});

/** Returns the exports of a node's runtime module. */
export function runtimeOf(name: string): z.output<typeof exported> {
  return exported.parse({ ...require(path.join(BUILT, `${name}.js`)) });
}

/** Returns the built page of a node. */
export const pageOf = (name: string): string => readFileSync(path.join(BUILT, `${name}.html`), 'utf8');
/** Returns a node's English locale file: texts (`json`) or help (`html`). */
export const localeOf = (name: string, extension: 'json' | 'html'): string =>
  readFileSync(path.join(BUILT, 'locales/en-US', `${name}.${extension}`), 'utf8');

const registration = z.looseObject({
  category: z.string(),
  defaults: z.record(z.string(), z.looseObject({ value: z.unknown() })),
  outputs: z.number().optional(),
  icon: z.string().optional(),
  // The facts that the scripts of the editor trust.
  rules: z
    .record(
      z.string(),
      z.custom<Rule>((rule) => typeof rule === 'object' && rule !== null),
    )
    .optional(),
  voiceSettings: z
    .record(z.string(), z.object({ min: z.number(), max: z.number(), default: z.number() }))
    .optional(),
  localSettings: z.array(z.string()).optional(),
  models: z
    .record(
      z.string(),
      z.object({
        languages: z.array(z.string()),
        settings: z.array(z.string()),
        normalizes: z.boolean(),
      }),
    )
    .optional(),
  fileFormats: z
    .object({ known: z.array(z.string()), fitting: z.record(z.string(), z.array(z.string())) })
    .optional(),
});

/** Returns the type and registration of a page. Runs its script with a recorder in place of Node-RED's palette. */
export function registrationOf(name: string): { type: string; registration: z.output<typeof registration> } {
  const [, script = ''] = /<script type="text\/javascript">([^]*?)<\/script>/.exec(pageOf(name)) ?? [];
  const registered: unknown[] = [];
  vm.runInNewContext(script, {
    RED: {
      nodes: { registerType: (...given: unknown[]) => registered.push(...given) },
      validators: { typedInput: () => () => true },
    },
  });
  const [type, definition] = registered;
  return { type: z.string().parse(type), registration: registration.parse(definition) };
}
