import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { inspectAudio, SpeechError } from '@herald-speech/client';
import { programPlaceOf } from '../../../nodes/account/programs.js';
import { freePort } from '../../support/net/free-port.js';
import { type Flow, localAccount, speechNode, withFlow } from '../../support/node-red/flow.js';
import { speechOf } from '../../support/node-red/messages.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { until } from '../../support/waiting.js';

describe('the ports of the local service for other programs', () => {
  const folder = useDataFolder();
  const programs = async (more: object = {}) => {
    const [port, wyoming] = [await freePort(), await freePort()];
    const settings = {
      programs: 'computer',
      programsPort: `${port}`,
      wyoming: true,
      wyomingPort: `${wyoming}`,
    };
    return { port, wyoming, account: localAccount({ ...settings, ...more }) };
  };
  const german = { voice_id: '', language: 'de', programsVoices: ' ja-haruto, alloy=fr-julien ' };
  /** Sends a request of an OpenAI client. */
  const request = async (port: number, fields: object): Promise<Response> => {
    const key = (await readFile(path.join(folder(), 'key'), 'utf8')).trim();
    return fetch(`http://127.0.0.1:${port}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-1', response_format: 'wav', ...fields }),
    });
  };
  /** Lets an OpenAI client speak, and returns the status. */
  const speak = async (port: number): Promise<number> => {
    const reply = await request(port, { voice: 'nova', input: 'Coffee.' });
    const audio = new Uint8Array(await reply.arrayBuffer());
    if (reply.ok) assert.ok(inspectAudio(audio).duration > 0.2);
    return reply.status;
  };
  /** Asserts that an OpenAI client gets the voice of the account `german`, and its other voices. */
  const assertVoices = async (port: number): Promise<void> => {
    const wav = async (fields: object) => {
      const reply = await request(port, { stream: false, ...fields });
      assert.equal(reply.status, 200);
      return Buffer.from(await reply.arrayBuffer());
    };
    const input = 'Der Kaffee.';
    assert.deepEqual(await wav({ input }), await wav({ input, voice: 'de' }));
    assert.deepEqual(await wav({ input, voice: 'alloy' }), await wav({ input, voice: 'fr-julien' }));
    const japanese = { input: 'こんにちは' };
    assert.deepEqual(await wav(japanese), await wav({ ...japanese, voice: 'ja-haruto' }));
  };
  const speaks = async (flow: Flow): Promise<void> => {
    flow.send('node', { payload: 'Hello.' });
    assert.ok((speechOf(await flow.out('done')).duration ?? 0) > 0);
  };
  const isOpen = (port: number, host = '127.0.0.1') =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, host, () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  /** Asks a Wyoming server to describe itself, and returns the first line of its answer. */
  const describeAt = async (port: number): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write('{"type":"describe"}\n');
    const [data]: unknown[] = await once(socket, 'data');
    socket.destroy();
    return String(data).split('\n')[0] ?? '';
  };
  const warnings = (flow: Flow) => flow.logged().filter((line) => line.includes('Connect other programs'));

  it('are off by default', () => assert.equal(programPlaceOf({}), undefined));

  it('open for the account with the first id without a node that speaks, have its voices, and close with the flow', async () => {
    const { port, wyoming, account } = await programs(german);
    const other = await programs({ wyoming: false });
    await withFlow([account, { ...other.account, id: 'other' }], async (flow) => {
      await until(() => isOpen(port));
      assert.equal(await speak(port), 200);
      assert.match(await describeAt(wyoming), /"type":\s*"info"/);
      assert.equal(await isOpen(other.port), false);
      assert.equal(warnings(flow).length, 1);
      await assertVoices(port);
    });
    assert.deepEqual([await isOpen(port), await isOpen(wyoming)], [false, false]);
  });

  it('warn with the field and the fix if a port is in use, move with a deploy, and the flow speaks all the same', async () => {
    const [first, second] = [await programs(), await programs({ wyoming: false })];
    const taken = createServer().listen(first.port, '127.0.0.1');
    await once(taken, 'listening');
    const keeper = speechNode('text-to-speech', { account: '' });
    await withFlow([first.account, keeper], async (flow) => {
      await speaks(flow);
      const [warning = ''] = warnings(flow);
      assert.ok(warning.includes(`${first.port}: another program uses it: enter another`), warning);
      assert.match(await describeAt(first.wyoming), /"type":\s*"info"/);
      taken.close();
      await flow.deploy([second.account, keeper]);
      await until(() => isOpen(second.port));
      assert.equal(await speak(second.port), 200);
      assert.deepEqual([await isOpen(first.port), await isOpen(first.wyoming)], [false, false]);
      await flow.deploy([localAccount(), keeper]);
      await until(async () => !(await isOpen(second.port)));
      await speaks(flow);
    });
  });

  it('have the voice and the language of the account before its other voices', () =>
    assert.deepEqual(programPlaceOf({ programs: 'computer', ...german })?.voices, [
      'de',
      'ja-haruto',
      'alloy=fr-julien',
    ]));

  it('are open to the network only with the consent of the user', () => {
    const network = { programs: 'network', wyoming: true };
    const place = { port: 7800, wyoming: 10_200, voices: [] };
    assert.deepEqual(programPlaceOf(network), { host: '127.0.0.1', ...place });
    const permitted = { ...network, programsConsent: true };
    assert.deepEqual(programPlaceOf(permitted), { host: '0.0.0.0', ...place });
  });

  it('reject invalid settings with the field, the value and the rule', () => {
    const wrong: [object, RegExp][] = [
      [{ programsPort: '70000' }, /programsPort is .*70000.*: expected a whole number from 1 to 65535/],
      [{ wyoming: true, wyomingPort: '7800' }, /wyomingPort.*expected another port/],
      [{ programs: 'world' }, /programs is "world"/],
    ];
    for (const [settings, message] of wrong)
      assert.throws(
        () => programPlaceOf({ programs: 'computer', ...settings }),
        (error) => error instanceof SpeechError && message.test(error.message),
        JSON.stringify(settings),
      );
  });
});
