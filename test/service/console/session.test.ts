import assert from 'node:assert/strict';
import { MAX_SESSIONS, SESSION_LIFETIME, Sessions } from '../../../service/console/session.js';

const request = (token?: string, host = '127.0.0.1:7800') => ({
  headers: { host, 'x-herald-session': token },
  socket: { remoteAddress: '127.0.0.1', localPort: 7800 },
});

describe('the sessions of the console', () => {
  it('admit requests with the token of a session only', () => {
    const sessions = new Sessions();
    const tokens = [sessions.open(), sessions.open()];
    for (const token of tokens) assert.equal(sessions.admits(request(token)), true);
    const others = [undefined, '', 'x', tokens.join(', '), `${tokens[0]} `, tokens[0]?.slice(1)];
    for (const token of others) assert.equal(sessions.admits(request(token)), false, token);
  });

  it('admit no request without an open session', () => {
    assert.equal(new Sessions().admits(request('')), false);
  });

  it('admit no foreign host name, even with a token', () => {
    const sessions = new Sessions();
    assert.equal(sessions.admits(request(sessions.open(), 'evil.example:7800')), false);
  });

  it('end some hours after their last request', () => {
    let now = 0;
    const sessions = new Sessions(() => now);
    const token = sessions.open();
    for (let use = 0; use < 3; use += 1) {
      now += SESSION_LIFETIME - 1;
      assert.equal(sessions.admits(request(token)), true);
    }
    now += SESSION_LIFETIME;
    assert.equal(sessions.admits(request(token)), false);
  });

  it('have a maximum number, at which a new session ends the oldest one', () => {
    const sessions = new Sessions();
    const tokens = Array.from({ length: MAX_SESSIONS + 1 }, () => sessions.open());
    const admitted = tokens.map((token) => sessions.admits(request(token)));
    assert.deepEqual([admitted[0], admitted.slice(1).every(Boolean)], [false, true]);
    assert.equal(new Set(tokens).size, tokens.length);
  });
});
