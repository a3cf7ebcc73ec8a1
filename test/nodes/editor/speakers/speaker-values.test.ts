import assert from 'node:assert/strict';
import {
  addressProblem,
  nameOfSpeaker,
  numberProblem,
} from '../../../../nodes/editor/speakers/speaker-values.js';
import { speakerOf } from '../../../../nodes/speakers/speaker-node.js';

const texts = { _: (key: string) => key };
const accepts = (more: object) => {
  try {
    return speakerOf('id', { name: 'Kitchen', kind: 'mpd', address: 'player', ...more }).name === 'Kitchen';
  } catch {
    return false;
  }
};

describe('the checks of the values of a speaker', () => {
  it('accept exactly the numbers that the runtime accepts', () => {
    const numbers = ['', ' ', '0', '3', '3.1', '100', '100.5', '-1', 'loud', '1e1', 50, 300, null, undefined];
    // Node-RED replaces no variable with spaces around it.
    const values = [...numbers, ' ${VOLUME} '];
    for (const name of ['max_volume', 'wake_up'] as const)
      for (const value of values)
        assert.equal(
          numberProblem(name, value, texts) === undefined,
          accepts({ [name]: value }),
          `${name} ${value}`,
        );
  });

  it('count a text of spaces as blank, as the runtime does', () => {
    const { maxVolume, wakeUp } = speakerOf('id', { kind: 'computer', max_volume: ' ', wake_up: ' ' });
    assert.deepEqual([maxVolume, wakeUp], [100, 0]);
  });

  it('accept an environment variable as a number, because only the runtime knows its value', () => {
    for (const name of ['max_volume', 'wake_up'] as const)
      assert.equal(numberProblem(name, '${VOLUME}', texts), undefined);
  });

  it('accept exactly the addresses that the runtime accepts', () => {
    for (const kind of ['computer', 'mpd', 'dlna'])
      for (const address of ['', ' ', 'player', undefined])
        assert.equal(
          addressProblem(kind, address, texts) === undefined,
          accepts({ kind, address }),
          `${kind} ${address}`,
        );
  });
});

describe('the name of a speaker without one', () => {
  const named = (kind: string, address: string) => nameOfSpeaker({ name: ' ', kind, address }, texts);

  it('has its type and its host', () => {
    assert.equal(named('dlna', 'http://10.0.0.5:1400/d.xml'), 'DLNA 10.0.0.5');
    assert.equal(named('mpd', '10.0.0.6:6600'), 'MPD 10.0.0.6');
    assert.equal(named('computer', 'hw:0'), 'speakers.computer');
    assert.equal(named('', ''), 'label');
  });

  it('has the id of its group or entity if its host has several speakers', () => {
    assert.equal(named('snapcast', '10.0.0.7:1705/4dcc4e3b'), 'Snapcast 10.0.0.7/4dcc4e3b');
    assert.equal(named('snapcast', '10.0.0.7'), 'Snapcast 10.0.0.7');
    const player = (name: string) => named('home-assistant', `http://ha.local:8123/media_player.${name}`);
    assert.equal(player('bath'), 'Home Assistant ha.local/media_player.bath');
    assert.notEqual(player('bath'), player('hall'));
    assert.equal(
      named('home-assistant', 'supervisor/media_player.a'),
      'Home Assistant supervisor/media_player.a',
    );
  });

  it('has the whole host of an address in brackets', () => {
    assert.equal(named('mpd', '[fe80::1]:6600'), 'MPD [fe80::1]');
    assert.equal(named('snapcast', '[fe80::1]:1705/4d'), 'Snapcast [fe80::1]/4d');
    assert.equal(named('dlna', 'http://[fe80::1]:80/d.xml'), 'DLNA [fe80::1]');
  });

  it('is never its id in the messages of the runtime', () => {
    assert.equal(speakerOf('a1b2', { kind: 'computer' }).name, 'computer');
    assert.throws(() => speakerOf('a1b2', { kind: 'mpd' }), /mpd: Address is blank/);
  });
});
