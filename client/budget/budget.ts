import { type BudgetFigures, SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import { Ledger, type LedgerOptions, type Period } from './ledger.js';

export interface BudgetOptions extends LedgerOptions {
  /** The highest use of a local day, in seconds of speech or in credits. */
  perDay?: number | undefined;
  /** The highest use of a local calendar month, in seconds of speech or in credits. */
  perMonth?: number | undefined;
  /** The highest use of one text, in seconds of speech or in credits. */
  perMessage?: number | undefined;
  /**
   * The price of a second. If set, all limits are in credits. The interface states no price
   * (docs/interface.md#open-points), so the user must know it.
   */
  creditsPerSecond?: number | undefined;
}

/** A limit of a calendar period with its use, in the unit of the budget. */
type PeriodUse = Pick<BudgetFigures, 'limit' | 'used'> & { per: Period; resets: string };

/** `isOver` is true if the latest text did not fit into the rest of the period. */
type ReportedUse = PeriodUse & { isOver: boolean };

/** Seconds of speech that an account may still use in each period and per text. */
export interface Budget {
  /**
   * Reserves the predicted seconds of a text, so that concurrent texts cannot exceed the limits together.
   * @throws SpeechError `over-budget` with the figures
   */
  reserve(seconds: number): Promise<Reservation>;
  /** Returns the use of today, and the limits of periods, in the unit of the limits. */
  used(): Promise<Pick<BudgetFigures, 'used' | 'unit'> & { limits: ReportedUse[] }>;
  /** Resolves when the file has the current use. */
  saved(): Promise<void>;
}

/** The reserved seconds of one text. */
export interface Reservation {
  /** Replaces reserved seconds by the actual ones: adds the difference to the day of the reservation. */
  correct(difference: number): void;
}

/** Creates a budget. Its file is read with the first reservation, and has the reserved seconds before anything is paid. */
export function createBudget(options: BudgetOptions): Budget {
  const { perDay, perMonth, perMessage, creditsPerSecond } = options;
  const ledger = new Ledger(options);
  const unit = creditsPerSecond === undefined ? 'seconds' : 'credits';
  const priced = (seconds: number) => rounded(seconds * (creditsPerSecond ?? 1));
  const usedIn = (per: Period) => priced(ledger.used(per));
  const useOf = (per: Period, limit: number | undefined): PeriodUse[] =>
    limit === undefined ? [] : [{ per, limit, used: usedIn(per), resets: ledger.end(per).toISOString() }];
  let refused = 0;
  const limits = () => [...useOf('day', perDay), ...useOf('month', perMonth)];
  const check = (seconds: number) => {
    // The use exceeds the limit if a service charges more than it predicts. Cached speech needs no budget.
    if (seconds === 0) return;
    const request = { unit, needed: priced(seconds), used: usedIn('day') } as const;
    if (perMessage !== undefined && request.needed > perMessage)
      throw overBudget({ ...request, per: 'message', limit: perMessage, resets: undefined });
    refused = refusedOf(limits(), request.needed);
    checkPeriods(limits(), request, ledger.now());
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
      return { used: usedIn('day'), unit, limits: limits().map((use) => reported(use, refused)) };
    },
    saved: () => ledger.save(),
  };
}

/** Rounds to millionths: sums of seconds must not exceed a limit by the noise of floating-point numbers. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const exceeds = ({ used, limit }: PeriodUse, needed: number): boolean => rounded(used + needed) > limit;

/** Returns what a text needs and does not get: 0 if it fits, or if no period can hold it, which says nothing about the next one. */
const refusedOf = (limits: readonly PeriodUse[], needed: number): number =>
  limits.some((use) => exceeds(use, needed)) && limits.every(({ limit }) => needed <= limit) ? needed : 0;

const reported = (use: PeriodUse, refused: number): ReportedUse => ({
  ...use,
  isOver: use.used >= use.limit || exceeds(use, refused),
});

/**
 * Checks the limits of the periods.
 * @param limits the shortest period first
 * @throws SpeechError `over-budget` with the longest period that the text exceeds: the shorter ones end before it
 */
function checkPeriods(
  limits: readonly PeriodUse[],
  { unit, needed }: Pick<BudgetFigures, 'unit' | 'needed'>,
  now: Date,
): void {
  const exceeded = limits.findLast((use) => exceeds(use, needed));
  if (exceeded === undefined) return;
  // A text that exceeds a limit alone can never be spoken: a later attempt does not help.
  const canPass = limits.every(({ limit }) => needed <= limit);
  const seconds = Math.ceil((Date.parse(exceeded.resets) - now.getTime()) / 1000);
  throw overBudget({ ...exceeded, unit, needed }, canPass ? seconds : undefined);
}

function overBudget(budget: BudgetFigures, retryAfter?: number): SpeechError {
  return new SpeechError('over-budget', text(`over-budget-${budget.per}`, figuresOf(budget)), {
    budget,
    retryAfter,
  });
}

const figuresOf = ({ unit, limit, used, needed }: BudgetFigures) => ({
  limit: shown(limit),
  used: shown(used),
  needed: shown(needed),
  unit: text(`unit-${unit}`),
});

/** Rounds a figure for a message to two decimals. */
const shown = (value: number): number => Math.round(value * 100) / 100;
