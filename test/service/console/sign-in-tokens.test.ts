import assert from 'node:assert/strict';
import {
  MAX_TOKENS,
  MAX_WRONG_TOKENS,
  SignInTokens,
  TOKEN_LIFETIME,
} from '../../../service/console/sign-in-tokens.js';

const MINUTE = 60_000;

describe('the one-time tokens of the console', () => {
  let now = 0;
  let tokens: SignInTokens;
  beforeEach(() => {
    now = 0;
    tokens = new SignInTokens(() => now);
  });

  it('work once', () => {
    const token = tokens.issue();
    tokens.redeem(token);
    assert.throws(() => tokens.redeem(token), { status: 403 });
  });

  it('expire after ten minutes', () => {
    const [early, late] = [tokens.issue(), tokens.issue()];
    now = TOKEN_LIFETIME - 1;
    tokens.redeem(early);
    now = TOKEN_LIFETIME;
    assert.throws(() => tokens.redeem(late), { status: 403 });
  });

  it('do not expire if the service prints them at its start', () => {
    const token = tokens.issue(Infinity);
    now = 1000 * TOKEN_LIFETIME;
    tokens.redeem(token);
  });

  it('have a maximum number, at which a new token replaces the oldest one', () => {
    const [oldest = '', ...others] = Array.from({ length: MAX_TOKENS + 1 }, () => tokens.issue());
    assert.throws(() => tokens.redeem(oldest), { status: 403 });
    for (const token of others) tokens.redeem(token);
  });

  it('are limited to some wrong attempts per minute, which never lock out a right token', () => {
    for (let attempt = 0; attempt < MAX_WRONG_TOKENS; attempt += 1) {
      assert.throws(() => tokens.redeem('wrong'), { status: 403 });
    }
    now = MINUTE / 2;
    assert.throws(() => tokens.redeem('wrong'), { status: 429, retryAfter: 30 });
    tokens.redeem(tokens.issue());
    now = MINUTE;
    assert.throws(() => tokens.redeem('wrong'), { status: 403 });
  });
});
