import assert from 'node:assert/strict';
import { type AdminCommand, answerCommand, runCommand } from '../../../service/accounts/commands.js';
import { isAccountsError, useLedger } from './support.js';

describe('running administration commands', () => {
  const { ledger, reopen } = useLedger();
  const run = (command: AdminCommand) => runCommand(ledger(), command);
  const create = (name = 'radio') => {
    const result = run({ command: 'accounts create', name, tier: 'pro', credits: 60 });
    assert.ok('key' in result && result.key);
    return { account: result.account, key: result.key };
  };

  it('creates an account with its first key', () => {
    const { account, key } = create();
    assert.deepEqual([account.name, account.tier, account.credits], ['radio', 'pro', 60]);
    assert.equal(reopen().keys.authenticate(key.key)?.account.name, 'radio');
  });

  it('creates an account of the Free tier without credits by default', () => {
    const result = run({ command: 'accounts create', name: 'x' });
    assert.ok('account' in result);
    assert.deepEqual([result.account.tier, result.account.credits], ['free', 0]);
  });

  it('creates no account if the creation of its key fails', () => {
    const keys = new Proxy(ledger().keys, {
      get: (real, name) => (name === 'create' ? () => assert.fail('no key') : Reflect.get(real, name)),
    });
    const create = { command: 'accounts create', name: 'half' };
    assert.throws(() => runCommand({ ...ledger(), keys }, create), /no key/);
    assert.deepEqual(run({ command: 'accounts list' }), { accounts: [] });
  });

  it('creates, lists and revokes keys, and never lists the key itself', () => {
    const { key: first } = create();
    const made = run({ command: 'keys create', account: 'radio' });
    assert.ok('key' in made && made.key);
    run({ command: 'keys revoke', account: 'radio', key: first.id });
    const listed = JSON.stringify([
      run({ command: 'keys list', account: 'radio' }),
      run({ command: 'accounts list' }),
    ]);
    assert.ok(listed.includes(made.key.id) && listed.includes(first.id));
    assert.ok(!listed.includes(made.key.key) && !listed.includes(first.key));
    assert.equal(ledger().keys.authenticate(first.key), undefined);
    assert.ok(ledger().keys.authenticate(made.key.key));
  });

  it('sets and adds credits, and changes the tier', () => {
    create();
    run({ command: 'credits set', account: 'radio', credits: 10 });
    run({ command: 'credits add', account: 'radio', credits: 2.5 });
    run({ command: 'tier set', account: 'radio', tier: 'creator' });
    const { tier, credits } = ledger().accounts.named('radio');
    assert.deepEqual([tier, credits], ['creator', 12.5]);
  });

  const mistakes: [object, RegExp][] = [
    [
      { command: 'accounts create', name: 'x', tier: 'gold' },
      /^tier is "gold": expected one of free, starter/,
    ],
    [{ command: 'accounts create', name: '' }, /^name is "": expected letters/],
    [{ command: 'accounts create', name: 'a\u0000b' }, /^name is "a\\u0000b": expected letters/],
    [{ command: 'accounts create', name: 'x'.repeat(101) }, /^name is .*at most 100/],
    [{ command: 'accounts create', name: 'x', credits: -1 }, /^credits is -1: expected 0 or more/],
    [{ command: 'accounts create', name: 'x', credits: NaN }, /^credits is NaN: expected seconds of audio/],
    [{ command: 'accounts create', name: 'x', credits: '5' }, /^credits is "5": expected seconds of audio/],
    [{ command: 'credits set', account: 'x', credits: 1e10 }, /^credits is 10000000000: expected at most/],
    [{ command: 'credits set', account: 'x' }, /^credits is missing: expected seconds/],
    [{ command: 'keys revoke', account: 'x' }, /^key is missing: expected the identifier/],
    [{ command: 'accounts drop' }, /^command is "accounts drop": expected one of accounts create, /],
    [{}, /^command is missing: expected one of accounts create, /],
    [{ command: 'accounts list', extra: 1 }, /extra/],
  ];
  for (const [input, words] of mistakes) {
    it(`rejects ${JSON.stringify(input).slice(0, 70)} and names the rule`, () => {
      assert.throws(() => runCommand(ledger(), input), isAccountsError('invalid', words));
    });
  }

  it('returns a refusal for an unknown account', () => {
    const reply = answerCommand(ledger(), { command: 'keys list', account: 'nobody' });
    assert.ok('error' in reply);
    assert.equal(reply.error.kind, 'not-found');
    assert.match(reply.error.message, /^account "nobody": unknown account\./);
  });
});
