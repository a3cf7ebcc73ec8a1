import assert from 'node:assert/strict';
import { answerCommand, commandNames } from '../../../service/accounts/commands.js';
import { adminHelp, toCommand, toOutput } from '../../../service/cli/admin-command.js';
import { useLedger } from '../accounts/support.js';

describe('the command line of administration commands', () => {
  const { ledger } = useLedger();
  const run = (line: string, flags: Record<string, unknown> = {}) => {
    const command = toCommand(line.split(' '), flags);
    const reply = answerCommand(ledger(), command);
    assert.ok('result' in reply, JSON.stringify(reply));
    return toOutput(command, JSON.parse(JSON.stringify(reply.result)));
  };
  const json = (line: string, flags?: Record<string, unknown>) => JSON.stringify(run(line, flags).json);
  const radio = { account: 'radio' };

  it('creates an account and prints its name and a valid key', () => {
    const printed: unknown = JSON.parse(json('accounts create radio', { tier: 'pro', credits: '30.5' }));
    assert.ok(typeof printed === 'object' && printed !== null && 'account' in printed && 'key' in printed);
    assert.deepEqual(Object.keys(printed), ['account', 'key']);
    const { account } =
      ledger().keys.authenticate(String(printed.key)) ?? assert.fail('the key is not valid');
    assert.deepEqual([account.name, account.tier, account.credits], [printed.account, 'pro', 30.5]);
  });

  it('changes tier and credits', () => {
    run('accounts create radio', { credits: '10' });
    assert.match(json('credits add 2.5', radio), /"account":"radio".*"credits":12.5/);
    assert.match(json('credits set 7', radio), /"credits":7,/);
    assert.match(json('tier set creator', radio), /"tier":"creator"/);
  });

  it('prints a key only when it creates the key, never in a list', () => {
    const text = json('accounts create radio');
    const [, key = ''] = /"key":"([^"]+)"/.exec(text) ?? [];
    const listed = json('keys list', radio) + run('keys list', radio).text + json('accounts list');
    assert.ok(!listed.includes(key));
    const [, id = ''] = /"id":"([^"]+)"/.exec(listed) ?? [];
    run(`keys revoke ${id}`, radio);
    assert.equal(ledger().keys.authenticate(key), undefined);
  });

  it('prints a table with aligned columns for users', () => {
    run('accounts create radio', { tier: 'unlimited' });
    run('accounts create a-longer-name', { credits: '5' });
    const [head = '', ...rows] = run('accounts list').text.split('\n');
    assert.equal(rows.length, 2);
    for (const row of rows) assert.match(row.slice(head.indexOf('tier')), /^(free|unlimited) /);
    assert.match(
      run('keys create', radio).text,
      /^API key of radio: \S+\nCopy it now\. It is not shown again\.$/,
    );
  });

  const misuses: Array<[string, Record<string, unknown>, RegExp]> = [
    ['accounts', {}, /^command "accounts": unknown command\. Use one of accounts create, /],
    ['accounts', {}, /, tier set, console, voices, mark-key, verify, read$/],
    ['on', { json: false, quiet: true }, /^--quiet has no value: leave "on" out$/],
    ['on', { json: false }, /^command "on": unknown command/],
    ['accounts destroy radio', {}, /Use one of accounts create, /],
    ['accounts create', {}, /expected herald-service accounts create NAME/],
    ['accounts create a b', {}, /expected herald-service accounts create NAME/],
    ['accounts create radio', { account: 'x' }, /expected herald-service accounts create NAME/],
    ['accounts create radio', { tier: 'gold' }, /^tier is "gold": expected one of free, starter/],
    ['accounts create radio', { credits: 'many' }, /^credits is "many": expected seconds/],
    ['accounts create ../radio', {}, /^name is /],
    ['keys create', {}, /expected herald-service keys create --account NAME/],
    ['keys revoke', radio, /expected herald-service keys revoke ID/],
    ['credits add 1e99', radio, /^credits is "1e99"/],
    ['credits set', radio, /expected herald-service credits set SECONDS/],
    ['tier set', radio, /expected herald-service tier set TIER/],
  ];
  for (const [line, flags, words] of misuses) {
    it(`rejects "${line}" with the flags ${JSON.stringify(flags)} and names the rule`, () => {
      assert.throws(() => toCommand(line.split(' '), flags), { name: 'UsageError', message: words });
    });
  }

  it('lists every command in the help', () => {
    for (const name of commandNames) assert.ok(adminHelp.includes(`  ${name}`), name);
  });
});
