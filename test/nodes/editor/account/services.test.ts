import assert from 'node:assert/strict';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { announcing } from '../../../support/net/announced-wyoming.js';
import { infoOf, send, withWyoming } from '../../../support/net/wyoming-server.js';
import { withServer } from '../../../support/net/scripted-server.js';
import { startTestService, type TestService } from '../../../support/service/service.js';
import { accountOf, nodeOf } from '../saved.js';

const wyoming = accountOf({ id: 'wyoming', service: 'wyoming', address: 'tcp://127.0.0.1:9', name: 'Piper' });
const openai = accountOf({ id: 'openai', service: 'openai', url: 'http://127.0.0.1:9/v1' });

describeInBrowser('an account of any service', () => {
  const { editor } = useSharedEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    accountOf(),
    wyoming,
    openai,
    { ...nodeOf('clone', 'clone-voice', 0), account: 'wyoming' },
    { ...nodeOf('credits', 'credits', 1), account: 'openai' },
    { ...nodeOf('usage', 'usage', 2) },
    { ...nodeOf('speech', 'text-to-speech', 3), account: 'wyoming', style: 'happy', styleType: 'str' },
  ]);
  let service: TestService;
  before(async () => {
    service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
  });
  after(() => service.close());
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const at = (...selector: Parameters<Page['locator']>) => editor().page.locator(...selector);
  const setting = (name: string) => at(`#node-config-input-${name}`);
  const seen = () =>
    at('.herald-form .form-row:visible > label').evaluateAll((labels) =>
      labels.map(({ textContent }) => textContent.trim()),
    );
  const folds = () =>
    at('.herald-form > details:visible').evaluateAll((all) =>
      all.map((fold) => fold.getAttribute('data-fold')),
    );
  const linesAfterTest = async () => {
    await at('#herald-test').click();
    await at('#herald-test-result:is([data-state=well], [data-state=wrong])').waitFor();
    return at('#herald-test-result > p').allTextContents();
  };

  it('shows only the fields of its service', async () => {
    await editor().open('account');
    await setting('service').selectOption('openai');
    assert.deepEqual(await seen(), ['Name', 'Service', 'Base URL', 'API key', 'Model', 'Voice', 'Language']);
    assert.equal(await setting('apiKey').getAttribute('placeholder'), 'optional');
    assert.ok((await folds()).includes('budget') && (await folds()).includes('speech'));
    await setting('service').selectOption('wyoming');
    assert.deepEqual(await seen(), ['Name', 'Service', 'Address', 'Voice', 'Language']);
    for (const name of ['budget', 'connection', 'programs', 'speech'])
      assert.ok(!(await folds()).includes(name), name);
    await setting('service').selectOption('local');
    assert.deepEqual(await seen(), ['Name', 'Service', 'Voice', 'Language']);
    assert.ok((await folds()).includes('programs'));
  });

  it('hides limits and units that the service lacks', async () => {
    await editor().open('openai');
    for (const name of ['limits', 'budget'])
      await editor().page.evaluate(`document.querySelector('[data-fold=${name}]').open = true`);
    assert.equal(await setting('clonesPerMinute').isVisible(), false);
    assert.ok(await setting('maxRetryAfter').isVisible());
    const credits = setting('budgetUnit').locator('option[value=credits]');
    assert.deepEqual([await credits.getAttribute('hidden'), await credits.isDisabled()], ['', true]);
  });

  it('explains a wrong address', async () => {
    await editor().open('wyoming');
    await setting('address').fill('http://x/y');
    await at('#herald-address-problem').getByText('Address: enter a host').waitFor();
  });

  it('has no note about blank fields at first sight, and one below each field that the user has left', async () => {
    const note = (name: string) => at(`#herald-${name}-problem`);
    await editor().open('wyoming');
    await setting('service').selectOption('hosted');
    assert.deepEqual([await note('url').textContent(), await note('key').textContent()], ['', '']);
    await setting('url').focus();
    await setting('apiKey').focus();
    assert.equal(await note('url').textContent(), 'Base URL: enter the URL of the service.');
    await setting('apiKey').blur();
    assert.equal(await note('key').textContent(), 'API key: enter the key of the service.');
    await setting('apiKey').fill('any');
    assert.equal(await note('key').textContent(), '');
    await setting('service').selectOption('openai');
    await setting('apiKey').fill('');
    assert.equal(await note('key').textContent(), '');
  });

  it('has a red border around a blank key that its service needs', async () => {
    const marked = setting('apiKey').and(at('.input-error'));
    await editor().open('wyoming');
    await setting('service').selectOption('hosted');
    await marked.waitFor();
    await setting('apiKey').pressSequentially('k');
    assert.equal(await marked.count(), 0);
    await setting('apiKey').press('Backspace');
    await marked.waitFor();
    await setting('service').selectOption('openai');
    assert.equal(await marked.count(), 0);
  });

  it('names each blank field below it after the first press of Test, also if the press leaves the field', async () => {
    const note = (name: string) => at(`#herald-${name}-problem`);
    await editor().open('wyoming');
    await setting('address').fill('');
    await at('#herald-test').click();
    await note('address').getByText('Address: enter the host and port of the Wyoming server.').waitFor();
    await at('#node-config-input-address:focus').waitFor();
    await setting('service').selectOption('hosted');
    await setting('url').focus();
    await at('#herald-test').click();
    await note('url').getByText('Base URL: enter the URL of the service.').waitFor();
    await note('key').getByText('API key: enter the key of the service.').waitFor();
    await at('#node-config-input-url:focus').waitFor();
    assert.equal(await at('#herald-test-result').textContent(), '');
  });

  it('tests a Wyoming server, and shows its voices and features', async () => {
    await editor().open('wyoming');
    await setting('address').fill(service.wyomingUrl ?? '');
    const lines = await linesAfterTest();
    assert.equal(lines[0], 'The Wyoming server answers.');
    assert.equal(await setting('voice_id').getAttribute('placeholder'), 'default of the server');
    assert.match(
      lines.join('\n'),
      /Preset voices: \d+\.\nVoice: default of the server\.\nLatency of a spoken word: [\d,]+ ms\.\nFeatures: WAV\. Longest text/,
    );
  }).timeout(60_000);

  it('tests an OpenAI-compatible service, and states that it spoke nothing', async () => {
    await editor().open('openai');
    await setting('url').fill(`${service.url}/v1`);
    await setting('apiKey').fill(service.key);
    const lines = await linesAfterTest();
    assert.equal(lines[0], 'The service answers.');
    assert.match(
      lines.join('\n'),
      /Latency of a short request: [\d,]+ ms\.\nFeatures: speed, instructions, WAV, MP3\./,
    );
    assert.match(lines.join('\n'), /The test spoke nothing/);
  });

  it('enters the address of a found Wyoming server by a click, by its name, and from the list of the field', async () => {
    const name = `Piper ${process.pid}`;
    await announcing([32_212], name, async () => {
      await editor().open('wyoming');
      await setting('address').focus();
      const found = at('#herald-address-state button', { hasText: `${name} 32212` });
      await found.waitFor();
      const [, address = ''] = /(tcp:\/\/[\d.]+:32212)$/.exec((await found.textContent()) ?? '') ?? [];
      assert.notEqual(address, '');
      assert.equal(await found.getAttribute('aria-pressed'), 'false');
      await found.click();
      await at('#herald-address-state [aria-pressed=true]').waitFor();
      assert.equal(await setting('address').inputValue(), address);
      await setting('address').fill(`${name} 32212`.toUpperCase());
      await setting('address').blur();
      assert.equal(await setting('address').inputValue(), address);
      assert.equal(await at('#herald-address-problem').textContent(), '');
      const option = at(`#herald-wyoming-servers option[value="${address}"]`);
      assert.equal(await option.getAttribute('label'), `${name} 32212`);
    });
  }).timeout(60_000);

  it('does not call Node-RED itself an OpenAI-compatible service', async () => {
    await editor().open('openai');
    await setting('url').fill(new URL('/', editor().page.url()).href);
    await setting('apiKey').fill('');
    const lines = await linesAfterTest();
    assert.match(lines[0] ?? '', /^The server answers with a web page, so it is probably no speech service/);
    assert.equal(await at('#herald-test-result').getAttribute('data-state'), 'wrong');
    assert.doesNotMatch(lines.join(), /Preset voices/);
  });

  it('does not confirm a server that lists nothing', () =>
    withServer(
      () => ({ status: 404, body: {} }),
      async ({ url }) => {
        await editor().open('openai');
        await setting('url').fill(url);
        const lines = await linesAfterTest();
        assert.match(lines[0] ?? '', /^The server lists no voices, so the address is not confirmed/);
        assert.equal(await at('#herald-test-result > p').first().getAttribute('data-state'), 'wrong');
        assert.match(lines.join('\n'), /No key entered; speech may need one\.\nModel: not checked/);
      },
    ));

  it('names the models of the server if the one of the account is not among them', async () => {
    await editor().open('openai');
    await setting('url').fill(`${service.url}/v1/audio/speech`);
    await setting('apiKey').fill(service.key);
    await setting('model').fill('kokoro');
    const offered = () =>
      at('#herald-models > option').evaluateAll((options) =>
        options.map((option) => option.getAttribute('value')),
      );
    assert.deepEqual(await offered(), ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']);
    const lines = await linesAfterTest();
    assert.match(
      lines.join('\n'),
      /\nModel: the server does not list kokoro, so speech may fail\. It lists tts-1, ([\w-]+, ){3}[\w-]+\./,
    );
    const listed = await offered();
    assert.ok(listed.length > 5 && listed.includes('tts-1'), listed.join(', '));
    assert.equal(await setting('model').getAttribute('list'), 'herald-models');
    assert.doesNotMatch(lines.join('\n'), /API key: not checked/);
    assert.equal(await at('#herald-test-result').getAttribute('data-state'), 'wrong');
  });

  it('reports a key that the server has not checked', () =>
    withServer(
      () => ({ body: { voices: ['alloy'] } }),
      async ({ url }) => {
        await editor().open('openai');
        await setting('url').fill(url);
        await setting('apiKey').fill('any');
        assert.match((await linesAfterTest()).join('\n'), /\nAPI key: not checked/);
      },
    ));

  it('shows how to complete an address without http://', async () => {
    await editor().open('openai');
    await setting('url').fill('127.0.0.1:21890');
    await at('#herald-url-problem').getByText('such as http://127.0.0.1:21890.').waitFor();
  });

  it('lists the voices of a Wyoming server, each with a sentence to play', async () => {
    await editor().open('wyoming');
    await setting('address').fill(service.wyomingUrl ?? '');
    await at('.herald-form').getByRole('button', { name: 'Find a voice' }).click();
    const rows = at('.herald-voices > li');
    await rows.first().waitFor();
    assert.ok((await at('.herald-voices .herald-play').count()) === (await rows.count()));
  });

  it('shows name, gender and language of the voices of a local service over Wyoming', async () => {
    await editor().open('wyoming');
    await setting('address').fill(service.wyomingUrl ?? '');
    await at('.herald-form').getByRole('button', { name: 'Find a voice' }).click();
    const row = at('.herald-voices > li', { has: editor().page.locator('code', { hasText: /^awb$/ }) });
    assert.equal(await row.locator('strong').textContent(), 'Angus');
    assert.equal(await row.locator('small').first().textContent(), 'male · English');
  });

  it('shows the descriptions of a Wyoming server that states no gender', () =>
    withWyoming(
      (_, socket) =>
        send(socket, infoOf({ name: 'en_US-joe-medium', languages: ['en_US'], description: 'joe (medium)' })),
      async ({ url }) => {
        await editor().open('wyoming');
        await setting('address').fill(url);
        await at('.herald-form').getByRole('button', { name: 'Find a voice' }).click();
        const row = at('.herald-voices > li');
        assert.equal(await row.locator('strong').textContent(), 'en_US-joe-medium');
        assert.match((await row.locator('small').first().textContent()) ?? '', /^English · joe \(medium\)/);
      },
    ));

  it('hides “Clone now” and its remark while the service has no custom voices', async () => {
    await editor().open('clone');
    const parts = at('.herald-clone, .herald-form > .herald-note');
    assert.equal(await parts.count(), 2);
    assert.equal(await at('.herald-clone:visible, .herald-form > .herald-note:visible').count(), 0);
    await at('#node-input-account').selectOption('account');
    assert.equal(await at('.herald-clone:visible, .herald-form > .herald-note:visible').count(), 2);
  });

  it('lists voices that may cost without a button to play, and names the reason', async () => {
    await editor().open('openai');
    await setting('url').fill(`${service.url}/v1`);
    await setting('apiKey').fill(service.key);
    await at('.herald-form').getByRole('button', { name: 'Find a voice' }).click();
    await at('.herald-voices > li').first().waitFor();
    assert.equal(await at('.herald-voices .herald-play').count(), 0);
    await at('.herald-form').getByText('The service has no samples.').waitFor();
  });

  for (const [node, text] of [
    ['clone', 'This service has no custom voices.'],
    ['credits', 'This service does not count credits.'],
    ['usage', ''],
  ] as const)
    it(`marks the account in the node ${node}: ${text || 'nothing, because the service has it'}`, async () => {
      await editor().open(node);
      const note = (await at('#herald-account-problem').textContent()) ?? '';
      assert.ok(text === '' ? note === '' : note.startsWith(text), note);
    });

  it('marks a field that the service does not follow', async () => {
    await editor().open('speech');
    await at('#node-input-style-no-effect')
      .getByText('the service of the account does not support this')
      .waitFor({ state: 'attached' });
  });
});
