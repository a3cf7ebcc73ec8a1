import assert from 'node:assert/strict';
import { playerSettingsOf } from '../../../../nodes/account/players.js';
import { audioUrlProblem, isAddress, isLimit } from '../../../../nodes/editor/account/account-values.js';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { accountOf, nodeOf } from '../saved.js';

describe('the checks of the settings for players', () => {
  const accepts = (saved: object): boolean => {
    try {
      return playerSettingsOf(saved).audioBaseUrl !== undefined;
    } catch {
      return false;
    }
  };

  it('accept exactly the values that the runtime accepts', () => {
    const ports = ['', ' ', '1', '65535', 1881, '1881 ', '0', '65536', '1.5', '-1', 'http', '1e3'];
    for (const audioPort of ports)
      assert.equal(isLimit('audioPort', String(audioPort)), accepts({ audioPort }), `port ${audioPort}`);
    const hosts = ['', '192.168.1.10', ' 10.0.0.1 ', '::1', 'fe80::1%eth0', '::ffff:1.2.3.4', '0.0.0.0'];
    const wrongHosts = [
      'eth0',
      '192.168.1',
      '192.168.1.256',
      '01.2.3.4',
      'house.example',
      '[::1]',
      ':',
      '1:2',
    ];
    for (const audioHost of [...hosts, ...wrongHosts])
      assert.equal(isAddress(audioHost), accepts({ audioHost }), `address ${audioHost}`);
    const urls = ['', 'http://house.example', 'https://house.example:8443/red/', ' http://10.0.0.1:1880 '];
    const wrongUrls = [
      'house',
      'ftp://house',
      'http://a:b@house',
      'http://house?x',
      'http://house#x',
      'http://',
    ];
    for (const audioBaseUrl of [...urls, ...wrongUrls])
      assert.equal(audioUrlProblem(audioBaseUrl) === undefined, accepts({ audioBaseUrl }), audioBaseUrl);
    assert.deepEqual(
      hosts.map(isAddress),
      hosts.map(() => true),
    );
    assert.deepEqual(
      wrongHosts.map(isAddress),
      wrongHosts.map(() => false),
    );
  });

  it('name the field, its value and the rule', () => {
    const message = (saved: object) => {
      try {
        return JSON.stringify(playerSettingsOf(saved));
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    assert.equal(
      message({ audioPort: 'abc' }),
      'account: audioPort is "abc": expected a whole number from 1 to 65535',
    );
    assert.match(
      message({ audioHost: 'eth0' }),
      /^account: audioHost is "eth0": expected an IP address of this/,
    );
    assert.match(
      message({ audioBaseUrl: 'house' }),
      /^account: audioBaseUrl is "house": expected a URL such as /,
    );
  });
});

describeInBrowser('the section about players of an account', () => {
  const { editor } = useSharedEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    accountOf({ service: 'local' }),
    nodeOf('tts', 'text-to-speech', 0),
  ]);
  const at = (selector: string) => editor().page.locator(selector);
  const field = (name: string) => at(`#node-config-input-${name}`);
  const summary = () => at('[data-fold=players] > summary > .herald-summary');

  it('offers the addresses of the computer, shows wrong values and saves the settings', async () => {
    await editor().open('account');
    assert.equal(await summary().textContent(), '');
    await editor().page.evaluate(`document.querySelector('[data-fold=players]').open = true`);
    await at('#herald-addresses option[value="127.0.0.1"]').waitFor({ state: 'attached' });
    await field('audioPort').fill('70000');
    assert.equal(
      await at('#herald-audioPort-problem').textContent(),
      'Port: enter a whole number from 1 to 65535.',
    );
    await field('audioPort').fill('18811');
    await field('audioHost').fill('kitchen');
    assert.match(
      (await at('#herald-audioHost-problem').textContent()) ?? '',
      /^Interface: enter an IP address /,
    );
    await field('audioHost').fill('127.0.0.1');
    await field('audioBaseUrl').fill('http://anna:secret@house');
    assert.match(
      (await at('#herald-audioBaseUrl-problem').textContent()) ?? '',
      /^Base URL: remove the user name/,
    );
    await field('audioBaseUrl').fill('http://house.example');
    assert.equal(await summary().textContent(), 'Port: 127.0.0.1 18811, http://house.example');
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });
});
