import assert from 'node:assert/strict';
import { errorOf } from '../../support/node-red/messages.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { announcing, speakerNode, withSpeakers } from './speaking-flow.js';

const computer = (id: string, more: object = {}) =>
  speakerNode(id, { kind: 'computer', address: `card-${id}`, ...more });
const nothing = () => Buffer.alloc(0);

describe('the choice of speakers', () => {
  useDataFolder();

  const failure = async (nodes: Parameters<typeof withSpeakers>[1], more: object = {}) => {
    let error = { code: '', message: '' };
    await withSpeakers(nothing, nodes, async (say, flow) => {
      say('Hello', more);
      error = errorOf(await flow.out('fatal'));
    });
    return error;
  };

  it('asks for a speaker if there is none', async () => {
    const { code, message } = await failure([announcing()]);
    assert.equal(code, 'not-configured');
    assert.match(message, /no speaker yet: add one/);
  });

  it('lists the speakers if there are several and none is chosen', async () => {
    const { code, message } = await failure([computer('kitchen'), computer('bath'), announcing()]);
    assert.equal(code, 'not-configured');
    assert.match(message, /"kitchen", "bath"/);
  });

  it('names an unknown speaker of msg.speaker, and lists the others', async () => {
    const { code, message } = await failure([computer('kitchen'), computer('bath'), announcing()], {
      speaker: ['Kitchen', 'cellar'],
    });
    assert.equal(code, 'bad-request');
    assert.match(message, /"cellar".*"kitchen", "bath"/);
  });

  it('names the wrong number of a speaker and its range', async () => {
    const { code, message } = await failure([computer('kitchen', { wake_up: '7' }), announcing()]);
    assert.equal(code, 'not-configured');
    assert.match(message, /kitchen.*7.*0 to 3/);
  });

  it('asks for the address of a network speaker without one', async () => {
    const { code, message } = await failure([
      speakerNode('kitchen', { kind: 'mpd', address: '' }),
      announcing(),
    ]);
    assert.equal(code, 'not-configured');
    assert.match(message, /kitchen: Address is blank/);
  });

  it('lists the types if the type of a speaker is unknown', async () => {
    const { code, message } = await failure([computer('kitchen', { kind: 'gramophone' }), announcing()]);
    assert.equal(code, 'not-configured');
    assert.match(message, /gramophone.*mpd/);
  });

  it('rejects a volume above 100 percent', async () => {
    const { code, message } = await failure([computer('kitchen'), announcing()], { volume: 150 });
    assert.equal(code, 'bad-request');
    assert.match(message, /msg\.volume/);
  });

  for (const [field, choices] of [
    ['music', '"pause"|"lower"|"replace"'],
    ['speaker_when', '"ended"|"started"'],
  ] as const)
    it(`names msg.${field} and its choices if it has an invalid value`, async () => {
      const { code, message } = await failure([computer('kitchen'), announcing()], { [field]: 'jazz' });
      assert.equal(code, 'bad-request');
      assert.ok(message.startsWith(`msg.${field}`) && message.includes(choices), message);
    });

  it('leaves msg.volume, msg.speaker and msg.music to other nodes for another output', () =>
    withSpeakers(
      () => Buffer.alloc(2),
      [announcing({ output: 'buffer' })],
      async (say, flow) => {
        say('Hello', { volume: 'loud', speaker: { id: 1 }, music: 'jazz' });
        assert.equal((await flow.out('done'))['volume'], 'loud');
      },
    ));
});
