import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeIssues } from '@herald-speech/client/interface';
import { z } from 'zod';
import type { EnginePlugin } from './engine.js';
import { ESPEAK_HINT, findEspeak, KANJI_HINT, readsKanji } from './espeak/espeak.js';
import { flite } from './flite/flite.js';

const espeak = findEspeak();
const builtIn: readonly EnginePlugin[] = espeak === undefined ? [flite] : [flite, espeak];

/** How to add the languages that no built-in engine speaks; undefined where there are none. */
export const engineHint: string | undefined = espeak === undefined ? ESPEAK_HINT : undefined;

/** How to add the dictionary for Japanese; undefined where it is there, or eSpeak is not. */
export const kanjiHint: string | undefined = espeak === undefined || readsKanji() ? undefined : KANJI_HINT;

/** Why an engine can't be used: the fault of the setting `engines`, or of the module that it names. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/**
 * Every engine: those that are built in, then those of the modules, in their order. Their voices become preset voices.
 * @param modules Names of packages, or files, seen from the working directory; each exports its plug-in as `engine`.
 * @throws EngineError naming the module and what is wrong with it
 */
export async function loadEngines(modules: readonly string[] = []): Promise<EnginePlugin[]> {
  const engines = [...builtIn];
  for (const name of modules) engines.push(await loadEngine(name));
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

async function loadEngine(name: string): Promise<EnginePlugin> {
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
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError(`the engine "${name}" can't be loaded: ${why}`, { cause });
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
  pitch: z.number().positive(),
  manner: z.object({ spread: z.number().positive(), rate: z.number().positive() }).optional(),
  isNatural: z.boolean(),
});

const plugin = z.object({
  id: z.string().min(1),
  voices: z.array(voice),
  cloning: z.object({ languages }).optional(),
  prepare: method,
  start: method,
});

/** The object itself is kept, not a copy: its functions may need it. */
function checkPlugin(name: string, engine: unknown): asserts engine is EnginePlugin {
  const checked = plugin.safeParse(engine);
  if (checked.success) return;
  throw new EngineError(`the engine "${name}" is none: ${describeIssues(checked.error.issues, engine)}`);
}

function checkUnique(what: string, ids: readonly string[]): void {
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw new EngineError(`two engines bring the ${what} "${twice}"`);
}
