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
    const values = ['', ' ', '0', '3', '3.1', '100', '100.5', '-1', 'loud', '1e1', 50, 300, null, undefined];
    for (const name of ['max_volume', 'wake_up'] as const)
      for (const value of values)
        assert.equal(
          numberProblem(name, value, texts) === undefined,
          accepts({ [name]: value }),
          `${name} ${value}`,
        );
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

  it('is never its id in the messages of the runtime', () => {
    assert.equal(speakerOf('a1b2', { kind: 'computer' }).name, 'computer');
    assert.throws(() => speakerOf('a1b2', { kind: 'mpd' }), /mpd: Address is blank/);
  });
});
