import { lazy, type Pronunciation, pronunciationList, rule, SpeechError, z } from '@herald-speech/client';
import { say } from '../runtime/messages.js';
import { configured, savedNumber, secondsSchema } from './limits.js';

/** The settings of a new account for its speech. */
export const speechDefaults = {
  /** `none`, `local`, or `account:` and the id of an account (docs/decisions/0066-fallback-of-an-account.md). */
  fallback: 'local',
  /** Seconds without audio until the fallback speaks; blank for 10. */
  fallbackAfter: '',
  /** The unit of all budgets: `seconds` or `credits`. */
  budgetUnit: 'seconds',
  /** Blank for no limit. */
  budgetPerDay: '',
  budgetPerMonth: '',
  budgetPerMessage: '',
  creditsPerSecond: '',
  /** Rows of word, replacement, language and matchCase. */
  pronunciations: [],
  /** Whether a remote service gets words in place of figures. */
  figuresAsWords: false,
  cache: true,
  /** Megabytes; blank for the default of the cache. */
  cacheSize: '',
};

/** A saved flow is unchecked input. */
export type SavedSpeech = Partial<Record<keyof typeof speechDefaults, unknown>>;

/** The account that speaks if the first one fails. */
type FallbackChoice = 'none' | 'local' | { id: string };

const PREFIX = 'account:';

/** Reads the saved fallback. @throws SpeechError `not-configured` */
export function fallbackOf({ fallback = 'none' }: SavedSpeech): FallbackChoice {
  if (fallback === 'none' || fallback === 'local') return fallback;
  if (fallback === '') return 'none';
  const id = fallbackIdOf({ fallback });
  if (id !== undefined) return { id };
  throw new SpeechError('not-configured', say('fallback-choice', { value: String(fallback) }));
}

/** Returns the id of the account that a saved fallback names. */
export const fallbackIdOf = ({ fallback }: SavedSpeech): string | undefined =>
  typeof fallback === 'string' && fallback.startsWith(PREFIX) ? fallback.slice(PREFIX.length) : undefined;

const amount = () => z.preprocess(savedNumber, z.number().min(0).optional());

const patienceSchema = lazy(() =>
  z.object({ fallbackAfter: z.preprocess(savedNumber, secondsSchema().default(10)) }),
);

/** Returns the milliseconds without audio until the fallback speaks. @throws SpeechError `not-configured` */
export const patienceOf = ({ fallbackAfter }: SavedSpeech): number =>
  configured(patienceSchema(), { fallbackAfter }).fallbackAfter * 1000;

const budgetSchema = lazy(() =>
  z
    .object({
      budgetUnit: z.enum(['seconds', 'credits']).default('seconds'),
      budgetPerDay: amount(),
      budgetPerMonth: amount(),
      budgetPerMessage: amount(),
      creditsPerSecond: z.preprocess(savedNumber, z.number().positive().optional()),
    })
    .refine(
      ({ budgetUnit, creditsPerSecond }) => budgetUnit === 'seconds' || creditsPerSecond !== undefined,
      {
        path: ['creditsPerSecond'],
        message: rule(say('rule-price')),
      },
    ),
);

/** Returns the saved limits; undefined if the account has none. @throws SpeechError `not-configured` */
export function budgetLimitsOf(saved: SavedSpeech) {
  const limits = [saved.budgetPerDay, saved.budgetPerMonth, saved.budgetPerMessage];
  if (limits.every((value) => savedNumber(value) === undefined)) return undefined;
  const { budgetUnit, ...budget } = configured(budgetSchema(), saved);
  return {
    perDay: budget.budgetPerDay,
    perMonth: budget.budgetPerMonth,
    perMessage: budget.budgetPerMessage,
    creditsPerSecond: budgetUnit === 'credits' ? budget.creditsPerSecond : undefined,
  };
}

/**
 * Returns the saved pronunciations without blank rows.
 * @throws SpeechError `not-configured`; the message names the row, counted from 1
 */
export function pronunciationsOf({ pronunciations: saved = [] }: SavedSpeech): Pronunciation[] {
  const { pronunciations } = configured(z.object({ pronunciations: z.array(z.unknown()) }), {
    pronunciations: saved,
  });
  return pronunciations.flatMap((row, index) => {
    if (isBlank(row)) return [];
    return configured(pronunciationList().element, row, (problem) =>
      say('account-pronunciation', { row: index + 1, problem }),
    );
  });
}

const isBlank = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && Object.values(row).every((value) => !value);

/** The properties of a node as saved in a flow. */
type Saved = Readonly<Record<string, unknown>>;

/** Converts the saved properties of one version to the next version. */
export type Migration = (saved: Saved) => Saved;

/** Returns the version that a node saves today. A flow without a version counts as version 1. */
export const currentVersion = (migrations: readonly Migration[]): number => migrations.length + 1;

/** Converts saved properties to the current version. Properties of a newer version stay unchanged. */
export function migrated(saved: Saved, migrations: readonly Migration[]): Saved {
  const { version } = saved;
  const since = typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 1;
  return migrations.slice(since - 1).reduce<Saved>((node, migration) => migration(node), saved);
}
