import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { CreditReservation } from '../../../service/accounts/credits.js';
import { isAccountsError, newAccount, someUse, useLedger } from './support.js';

const outOfCredits = isAccountsError('out-of-credits');

describe('the credits of an account', () => {
  const { ledger, reopen } = useLedger();
  const balance = (account: string) => ledger().accounts.get(account).credits ?? Infinity;
  const minutes = (account: string) => {
    const range = { start_date: '2026-01-15', end_date: '2026-01-15' };
    const { usages } = ledger().usage.byVoice(account, range);
    return usages.reduce((sum, { total_minutes_used }) => sum + total_minutes_used, 0);
  };

  it('takes the used seconds once, and keeps the charge after a restart', () => {
    const { id } = newAccount(ledger(), 100);
    const reservation = ledger().credits.reserve(id, 10);
    ledger().credits.settle(reservation, 2.5, someUse);
    assert.throws(() => ledger().credits.settle(reservation, 2.5, someUse), /settled or released/);
    reopen();
    assert.equal(balance(id), 97.5);
    assert.equal(minutes(id), 2.5 / 60);
  });

  it('takes nothing for a released reservation', () => {
    const { id } = newAccount(ledger(), 100);
    ledger().credits.release(ledger().credits.reserve(id, 100));
    assert.equal(balance(id), 100);
    assert.equal(minutes(id), 0);
    ledger().credits.reserve(id, 100);
  });

  it('releases all reservations at a restart', () => {
    const { id } = newAccount(ledger(), 100);
    ledger().credits.reserve(id, 100);
    assert.throws(() => ledger().credits.reserve(id, 1), outOfCredits);
    reopen().credits.reserve(id, 100);
  });

  it('rejects a reservation of zero seconds if the balance is zero', () => {
    const { id } = newAccount(ledger(), 1);
    ledger().credits.settle(ledger().credits.reserve(id, 1), 1, someUse);
    assert.throws(() => ledger().credits.reserve(id, 0), outOfCredits);
    assert.equal(balance(id), 0);
  });

  it('increases a reservation up to the balance', () => {
    const { id } = newAccount(ledger(), 3);
    const { credits } = ledger();
    const reservation = credits.reserve(id, 0);
    credits.grow(reservation, 2);
    assert.throws(() => credits.grow(reservation, 2), outOfCredits);
    credits.settle(reservation, 2, someUse);
    assert.equal(balance(id), 1);
  });

  it('takes nothing if the balance is too small for the used seconds', () => {
    const { id } = newAccount(ledger(), 3);
    const reservation = ledger().credits.reserve(id, 1);
    assert.throws(() => ledger().credits.settle(reservation, 3.1, someUse), outOfCredits);
    ledger().credits.release(reservation);
    assert.deepEqual([balance(id), minutes(id)], [3, 0]);
  });

  it('charges down to zero if an administrator has reduced the balance', () => {
    const { id } = newAccount(ledger(), 10);
    const reservation = ledger().credits.reserve(id, 10);
    ledger().accounts.setCredits(id, 4);
    ledger().credits.settle(reservation, 10, someUse);
    assert.equal(balance(id), 0);
  });

  it('records the usage of an unlimited account, but takes no credits', () => {
    const { id } = ledger().accounts.unlimited('local');
    ledger().credits.settle(ledger().credits.reserve(id, 1e6), 90, someUse);
    assert.equal(ledger().accounts.get(id).credits, null);
    assert.equal(minutes(id), 1.5);
  });

  it('reserves credits of each account separately', () => {
    const [first, second] = [newAccount(ledger(), 5), newAccount(ledger(), 5)];
    ledger().credits.reserve(first.id, 5);
    ledger().credits.reserve(second.id, 5);
  });

  it('never falls below zero and equals the sum of all charges, with requests in parallel', () => {
    const seconds = fc.integer({ min: 0, max: 40_000 }).map((tenths) => tenths / 10_000);
    const step = fc.record({
      act: fc.constantFrom('reserve', 'grow', 'settle', 'release'),
      seconds,
      which: fc.nat(100),
    });
    fc.assert(
      fc.property(seconds, fc.array(step, { maxLength: 25 }), (start, steps) => {
        const { id } = newAccount(ledger(), start);
        const charged = steps.reduce(takeStep(id), { open: new Array<CreditReservation>(), sum: 0 }).sum;
        assert.ok(Math.abs(start - charged - balance(id)) < 1e-9);
        assert.ok(Math.abs(minutes(id) * 60 - charged) < 1e-9);
      }),
      { numRuns: 60 },
    );
  });

  interface State {
    open: CreditReservation[];
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
