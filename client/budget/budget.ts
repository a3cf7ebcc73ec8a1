import { type BudgetFigures, SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import { Ledger, type LedgerOptions, nextMidnight } from './ledger.js';

export interface BudgetOptions extends LedgerOptions {
  /** The highest use of a local day, in seconds of speech or in credits. */
  perDay?: number | undefined;
  /** The highest use of one text, in seconds of speech or in credits. */
  perMessage?: number | undefined;
  /**
   * The price of a second. If set, both limits are in credits. The interface states no price
   * (docs/interface.md#open-points), so the user must know it.
   */
  creditsPerSecond?: number | undefined;
}

/** Seconds of speech that an account may still use today and per text. */
export interface Budget {
  /**
   * Reserves the predicted seconds of a text, so that concurrent texts cannot exceed the limits together.
   * @throws SpeechError `over-budget` with the figures
   */
  reserve(seconds: number): Promise<Reservation>;
  /** Returns the use of today in the unit of the limits. */
  used(): Promise<Pick<BudgetFigures, 'used' | 'unit'>>;
  /** Resolves when the file has the current use. */
  saved(): Promise<void>;
}

/** The reserved seconds of one text. */
export interface Reservation {
  /** Replaces reserved seconds by the actual ones: adds the difference to the day of the reservation. */
  correct(difference: number): void;
}

/** Creates a budget. Its file is read with the first reservation, and has the reserved seconds before anything is paid. */
export function createBudget({ perDay, perMessage, creditsPerSecond, ...options }: BudgetOptions): Budget {
  const ledger = new Ledger(options);
  const unit = creditsPerSecond === undefined ? 'seconds' : 'credits';
  const priced = (seconds: number) => rounded(seconds * (creditsPerSecond ?? 1));
  const check = (seconds: number) => {
    // The use exceeds the limit if a service charges more than it predicts. Cached speech needs no budget.
    if (seconds === 0) return;
    const figures = { unit, used: priced(ledger.used()), needed: priced(seconds) } as const;
    if (perMessage !== undefined && figures.needed > perMessage)
      throw tooLong({ ...figures, per: 'message', limit: perMessage, resets: undefined });
    if (perDay !== undefined && rounded(figures.used + figures.needed) > perDay)
      throw dayUsed({ ...figures, per: 'day', limit: perDay }, ledger.now());
  };
  return {
    async reserve(seconds) {
      await ledger.load();
      check(seconds);
      const day = ledger.day();
      ledger.add(seconds, day);
      await ledger.save();
      return {
        correct(difference) {
          if (difference === 0) return;
          ledger.add(difference, day);
          void ledger.save();
        },
      };
    },
    async used() {
      await ledger.load();
      return { used: priced(ledger.used()), unit };
    },
    saved: () => ledger.save(),
  };
}

/** Rounds to millionths: sums of seconds must not exceed a limit by the noise of floating-point numbers. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

function tooLong(budget: BudgetFigures): SpeechError {
  return new SpeechError('over-budget', text('over-budget-message', figuresOf(budget)), { budget });
}

function dayUsed(budget: Omit<BudgetFigures, 'resets'>, now: Date): SpeechError {
  const midnight = nextMidnight(now);
  const figures = { ...budget, resets: midnight.toISOString() };
  // A text that exceeds the limit alone can never be spoken: a later attempt does not help.
  const canPass = budget.needed <= budget.limit;
  const seconds = Math.ceil((midnight.getTime() - now.getTime()) / 1000);
  return new SpeechError('over-budget', text('over-budget-day', figuresOf(figures)), {
    budget: figures,
    ...(canPass && { retryAfter: seconds }),
  });
}

const figuresOf = ({ unit, limit, used, needed }: BudgetFigures) => ({
  limit: shown(limit),
  used: shown(used),
  needed: shown(needed),
  unit: text(unit === 'seconds' ? 'unit-seconds' : 'unit-credits'),
});

/** Rounds a figure for a message to two decimals. */
const shown = (value: number): string => String(Math.round(value * 100) / 100);
