import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Reservation } from '../../../service/accounts/credits.js';
import { isAccountsError, newAccount, someUse, useLedger } from './support.js';

const outOfCredits = isAccountsError('out-of-credits');

describe('credits', () => {
  const { ledger, reopen } = useLedger();
  const balance = (account: string) => ledger().accounts.get(account).credits ?? Infinity;
  const minutes = (account: string) => {
    const range = { start_date: '2026-01-15', end_date: '2026-01-15' };
    const { usages } = ledger().usage.byVoice(account, range);
    return usages.reduce((sum, { total_minutes_used }) => sum + total_minutes_used, 0);
  };

  it('are taken once, by the second, and are gone after a restart, too', () => {
    const { id } = newAccount(ledger(), 100);
    const reservation = ledger().credits.reserve(id, 10);
    ledger().credits.settle(reservation, 2.5, someUse);
    assert.throws(() => ledger().credits.settle(reservation, 2.5, someUse), /settled or released/);
    reopen();
    assert.equal(balance(id), 97.5);
    assert.equal(minutes(id), 2.5 / 60);
  });

  it('are not taken for a request that failed or was aborted', () => {
    const { id } = newAccount(ledger(), 100);
    ledger().credits.release(ledger().credits.reserve(id, 100));
    assert.equal(balance(id), 100);
    assert.equal(minutes(id), 0);
    ledger().credits.reserve(id, 100);
  });

  it('of a request that a crash cut off are there again', () => {
    const { id } = newAccount(ledger(), 100);
    ledger().credits.reserve(id, 100);
    assert.throws(() => ledger().credits.reserve(id, 1), outOfCredits);
    reopen().credits.reserve(id, 100);
  });

  it('that are used up let nobody in, not even for nothing', () => {
    const { id } = newAccount(ledger(), 1);
    ledger().credits.settle(ledger().credits.reserve(id, 1), 1, someUse);
    assert.throws(() => ledger().credits.reserve(id, 0), outOfCredits);
    assert.equal(balance(id), 0);
  });

  it('are reserved as audio grows, up to what there is', () => {
    const { id } = newAccount(ledger(), 3);
    const { credits } = ledger();
    const reservation = credits.reserve(id, 0);
    credits.grow(reservation, 2);
    assert.throws(() => credits.grow(reservation, 2), outOfCredits);
    credits.settle(reservation, 2, someUse);
    assert.equal(balance(id), 1);
  });

  it('that would not do for the whole audio are not taken at all', () => {
    const { id } = newAccount(ledger(), 3);
    const reservation = ledger().credits.reserve(id, 1);
    assert.throws(() => ledger().credits.settle(reservation, 3.1, someUse), outOfCredits);
    ledger().credits.release(reservation);
    assert.deepEqual([balance(id), minutes(id)], [3, 0]);
  });

  it('that an administrator took from under a request do not fall below zero', () => {
    const { id } = newAccount(ledger(), 10);
    const reservation = ledger().credits.reserve(id, 10);
    ledger().accounts.setCredits(id, 4);
    ledger().credits.settle(reservation, 10, someUse);
    assert.equal(balance(id), 0);
  });

  it('of an unlimited account are never counted, but its usage is', () => {
    const { id } = ledger().accounts.unlimited('local');
    ledger().credits.settle(ledger().credits.reserve(id, 1e6), 90, someUse);
    assert.equal(ledger().accounts.get(id).credits, null);
    assert.equal(minutes(id), 1.5);
  });

  it('of one account are nothing to another', () => {
    const [first, second] = [newAccount(ledger(), 5), newAccount(ledger(), 5)];
    ledger().credits.reserve(first.id, 5);
    ledger().credits.reserve(second.id, 5);
  });

  it('never fall below zero, and what was taken is what was charged, whatever runs in parallel', () => {
    const seconds = fc.integer({ min: 0, max: 40_000 }).map((tenths) => tenths / 10_000);
    const step = fc.record({
      act: fc.constantFrom('reserve', 'grow', 'settle', 'release'),
      seconds,
      which: fc.nat(100),
    });
    fc.assert(
      fc.property(seconds, fc.array(step, { maxLength: 25 }), (start, steps) => {
        const { id } = newAccount(ledger(), start);
        const charged = steps.reduce(takeStep(id), { open: new Array<Reservation>(), sum: 0 }).sum;
        assert.ok(Math.abs(start - charged - balance(id)) < 1e-9);
        assert.ok(Math.abs(minutes(id) * 60 - charged) < 1e-9);
      }),
      { numRuns: 60 },
    );
  });

  interface State {
    open: Reservation[];
    sum: number;
  }

  const takeStep =
    (id: string) =>
    (state: State, { act, seconds, which }: { act: string; seconds: number; which: number }): State => {
      const { credits } = ledger();
      const one = state.open[which % Math.max(1, state.open.length)];
      try {
        if (act === 'reserve') return { ...state, open: [...state.open, credits.reserve(id, seconds)] };
        if (one === undefined) return state;
        const open = state.open.filter((other) => other !== one);
        if (act === 'grow') credits.grow(one, seconds);
        if (act === 'release') credits.release(one);
        if (act === 'settle') credits.settle(one, seconds, someUse);
        return {
          open: act === 'grow' ? state.open : open,
          sum: state.sum + (act === 'settle' ? seconds : 0),
        };
      } catch (error) {
        outOfCredits(error);
        return state;
      } finally {
        assert.ok(balance(id) >= 0);
      }
    };
});
