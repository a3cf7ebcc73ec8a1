import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeIssues } from '@herald-speech/client/interface';
import { z } from 'zod';
import type { EnginePlugin } from './engine.js';

/** An engine module that is missing or invalid, or two engines with the same id or voice. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/**
 * Appends the engines of modules to others.
 * @throws EngineError with the module and the reason
 */
export async function addPlugins(
  others: readonly EnginePlugin[],
  modules: readonly string[],
): Promise<EnginePlugin[]> {
  const engines = [...others];
  for (const name of modules) engines.push(await loadPlugin(name));
  checkUnique(
    'engine',
    engines.map(({ id }) => id),
  );
  checkUnique(
    'voice',
    engines.flatMap(({ voices }) => voices.map(({ id }) => id)),
  );
  return engines;
}

async function loadPlugin(name: string): Promise<EnginePlugin> {
  const { engine } = exported.parse(await load(name));
  checkPlugin(name, engine);
  return engine;
}

const exported = z.object({ engine: z.unknown().optional() });

async function load(name: string): Promise<unknown> {
  try {
    const { resolve } = createRequire(path.join(process.cwd(), 'engines'));
    return await import(pathToFileURL(resolve(name)).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError(`engine module "${name}" cannot be loaded: ${reason}`, { cause });
  }
}

const languages = z.array(z.string().regex(/^[a-z]{2}$/, 'expected a language code of two letters')).min(1);
const method = z.custom((value) => typeof value === 'function', 'expected a function');

const voice = z.object({
  id: z.string().regex(/^[\w-]+$/, 'expected letters, digits, "-" and "_"'),
  name: z.string().min(1),
  description: z.string(),
  age: z.string(),
  gender: z.string(),
  useCases: z.array(z.string()),
  languages,
  locale: z
    .string()
    .regex(/^[a-z]{2}-(?:[A-Z]{2}|\d{3})$/, 'expected a language with a region, such as "en-GB"')
    .optional(),
  accent: z.string().min(1).optional(),
  attribution: z.object({ author: z.string().min(1), url: z.string(), version: z.string() }).optional(),
  pitch: z.number().positive(),
  manner: z.object({ spread: z.number().positive(), rate: z.number().positive() }).optional(),
  isNatural: z.boolean(),
  sampleRate: z.number().positive().optional(),
  quality: z.string().optional(),
  licence: z.string().nullable().optional(),
  isNonCommercial: z.boolean().optional(),
  realTimeFactor: z.number().positive().optional(),
  isLive: z.boolean().optional(),
});

const plugin = z.object({
  id: z.string().min(1),
  voices: z.array(voice),
  cloning: z.object({ languages }).optional(),
  prepare: method,
  start: method,
});

/** Checks the object and does not copy it, because its functions may use it as `this`. */
function checkPlugin(name: string, engine: unknown): asserts engine is EnginePlugin {
  const checked = plugin.safeParse(engine);
  if (checked.success) return;
  const issues = describeIssues(checked.error.issues, engine);
  throw new EngineError(`engine module "${name}" does not export a valid "engine": ${issues}`);
}

function checkUnique(field: string, ids: readonly string[]): void {
  const duplicate = ids.find((id, place) => ids.indexOf(id) !== place);
  if (duplicate === undefined) return;
  throw new EngineError(`${field} "${duplicate}" exists twice: each engine and each voice needs its own id`);
}
