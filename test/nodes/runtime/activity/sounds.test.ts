import assert from 'node:assert/strict';
import { type Silence, AnnouncedSound, Sounds } from '../../../../nodes/runtime/activity/sounds.js';

/** Creates sounds of one node with these priorities, and the stops that editors receive. */
function sounding(...priorities: number[]) {
  const published: Silence[] = [];
  const sounds = new Sounds((silence) => published.push(silence));
  const all = priorities.map((priority) => new AnnouncedSound('kitchen', priority));
  for (const sound of all) {
    sound.isHeard = true;
    sounds.add(sound);
  }
  return { published, sounds, all };
}

const piece = { isPiece: true };
const whole = { isPiece: false };

describe('the sounds of announcements', () => {
  it('keep late pieces of a stopped announcement silent, and play its complete audio again', () => {
    const sound = new AnnouncedSound('kitchen', 0);
    sound.isOpen = false;
    assert.deepEqual([sound.isSilent(piece), sound.isSilent(whole)], [false, false]);
    sound.stop('stopped');
    assert.deepEqual([sound.isSilent(piece), sound.isSilent(whole)], [true, false]);
  });

  it('keep all audio of an announcement silent that was stopped while it was spoken', () => {
    const sound = new AnnouncedSound('kitchen', 0);
    sound.stop('stopped');
    sound.isOpen = false;
    sound.stop('stopped');
    assert.deepEqual([sound.isSilent(piece), sound.isSilent(whole)], [true, true]);
  });

  it('end at an interrupt if they are earlier and of the same node, unless their priority is higher', () => {
    const { published, sounds, all } = sounding(0, 5, 1);
    const other = new AnnouncedSound('hall', 0);
    sounds.add(other);
    const by = new AnnouncedSound('kitchen', 1);
    const later = new AnnouncedSound('kitchen', 0);
    sounds.add(by);
    sounds.add(later);
    sounds.interrupt(by);
    const isStopped = [...all, other, by, later].map((sound) => sound.isSilent(piece));
    assert.deepEqual(isStopped, [true, false, true, false, false, false]);
    assert.deepEqual(published, [{ sounds: [all[0]?.id, all[2]?.id], end: 'interrupted' }]);
  });

  it('tell editors each sound only once, and only if editors got it', () => {
    const { published, sounds, all } = sounding(0, 0);
    sounds.add(new AnnouncedSound('kitchen', 0));
    sounds.stopNode('kitchen');
    sounds.stopNode('kitchen');
    const node = 'kitchen';
    assert.deepEqual(published, [
      { node, sounds: all.map(({ id }) => id), end: 'stopped' },
      { node, sounds: [], end: 'stopped' },
    ]);
  });

  it('of URLs are called interrupted or stopped if a player fetches them then, until a player fetches them again', () => {
    const { sounds, all } = sounding(0, 0);
    const [fetched, finished] = all;
    const by = new AnnouncedSound('kitchen', 0);
    sounds.add(by);
    fetched?.countStream(1);
    sounds.interrupt(by);
    assert.deepEqual([fetched?.cut, finished?.cut, by.cut], ['interrupted', undefined, undefined]);
    fetched?.countStream(-1);
    assert.equal(fetched?.cut, 'interrupted');
    fetched?.countStream(1);
    assert.equal(fetched?.cut, undefined);
    sounds.stopNode('kitchen');
    assert.equal(fetched?.cut, 'stopped');
  });

  it('of the oldest announcements are forgotten', () => {
    const { sounds, all } = sounding(...Array.from({ length: 2001 }, () => 0));
    const found = all.map(({ id }) => sounds.find(id));
    assert.deepEqual([found[0], found[1]], [undefined, all[1]]);
    assert.equal(sounds.find(undefined), undefined);
  });
});
