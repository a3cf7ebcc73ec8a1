import assert from 'node:assert/strict';
import { SpeechError } from '@herald-speech/client';
import { ActivityRecord, MAX_LISTED, MAX_PAST } from '../../../../nodes/runtime/activity/activity.js';
import { usedHeap } from '../../../support/heap.js';
import { withFakeClock } from '../../../support/fake-clock.js';
import { until } from '../../../support/waiting.js';

const node = { node: 'n', name: 'kitchen' };
const control = { preview: async () => 'text', stop: () => undefined, priority: 0 };

/** A record with its notifications. */
function watched() {
  const published: number[] = [];
  return { activity: new ActivityRecord((revision) => published.push(revision)), published };
}

/** Records an announcement from its arrival to its end. */
function speak(activity: ActivityRecord, text: string, error?: SpeechError): void {
  const entry = activity.add(node, control);
  entry.started();
  entry.note({ text, seconds: 1 });
  entry.ended(error);
}

describe('the record of announcements', () => {
  it('starts no timer and sends no notification while no editor asks', () =>
    withFakeClock(async ({ advance, pending }) => {
      const { activity, published } = watched();
      for (let count = 0; count < 1000; count += 1) speak(activity, 'Hello.');
      assert.equal(pending(), 0);
      await advance(1000);
      assert.deepEqual(published, []);
    }));

  it('notifies editors once after a burst, and again only after an editor has asked', () =>
    withFakeClock(async ({ advance, pending }) => {
      const { activity, published } = watched();
      const first = await activity.view(0);
      for (let count = 0; count < 1000; count += 1) speak(activity, `${count}`);
      await advance(250);
      assert.equal(published.length, 1);
      for (let count = 0; count < 1000; count += 1) speak(activity, 'later');
      assert.equal(pending(), 0);
      const second = await activity.view(first.revision);
      assert.equal(second.changed.length, MAX_PAST);
      speak(activity, 'last');
      await advance(250);
      assert.deepEqual(published.slice(1), [second.revision + 4]);
      assert.equal((await activity.view(second.revision)).changed.length, 1);
    }));

  it('notifies at most four times a second, however fast editors ask', () =>
    withFakeClock(async ({ advance }) => {
      const { activity, published } = watched();
      for (let tick = 0; tick < 100; tick += 1) {
        await activity.view(0);
        speak(activity, `${tick}`);
        await advance(10);
      }
      assert.ok(published.length <= 4, String(published.length));
    }));

  it('notifies a second editor of a change that the first one has already read', () =>
    withFakeClock(async ({ advance }) => {
      const { activity, published } = watched();
      await activity.view(0);
      speak(activity, 'one');
      await activity.view(0);
      await advance(250);
      assert.equal(published.length, 1);
      speak(activity, 'two');
      await advance(250);
      assert.equal(published.length, 2);
    }));

  it('keeps the latest 50 past announcements, the latest first', async () => {
    const { activity } = watched();
    for (let count = 1; count <= 1000; count += 1) speak(activity, `${count}`);
    const { ids, changed } = await activity.view(0);
    assert.deepEqual(
      ids,
      Array.from({ length: MAX_PAST }, (_, index) => 1000 - index),
    );
    assert.deepEqual(
      changed.map(({ announcement }) => announcement.text),
      ids.map(String),
    );
  });

  it('keeps 300 code units of each text in memory, however long the text was', async () => {
    const { activity } = watched();
    await activity.view(0);
    const before = usedHeap();
    for (let count = 1; count <= 1000; count += 1) speak(activity, `${count} ${'long '.repeat(20_000)}`);
    const grown = usedHeap() - before;
    assert.ok(grown < 1_000_000, `${grown} bytes`);
    assert.equal((await activity.view(0)).changed[0]?.announcement.text.length, 300);
  });

  it('keeps no long voice, and no text of which the spoken text is a part', async () => {
    const { activity } = watched();
    const before = usedHeap();
    for (let count = 1; count <= MAX_PAST; count += 1) {
      const table = `${count} is spoken in Vienna.${`${count} `.repeat(100_000)}`;
      const entry = activity.add(node, control);
      entry.note({ text: table.slice(0, 20), voice: table, language: table });
      entry.ended();
    }
    const grown = usedHeap() - before;
    assert.ok(grown < 1_000_000, `${grown} bytes`);
    const { changed } = await activity.view(0);
    assert.equal(changed[0]?.announcement.voice?.length, 300);
  });

  it('lists the current announcement first, then the queued ones by priority and arrival', async () => {
    const { activity } = watched();
    const add = (text: string, priority: number) => {
      const entry = activity.add(node, { ...control, priority });
      entry.note({ text });
      return entry;
    };
    add('news', 0).started();
    for (const [text, priority] of [
      ['weather', 0],
      ['alarm', 9],
      ['bell', 5],
      ['fire', 9],
    ] as const)
      add(text, priority);
    const { ids, changed } = await activity.view(0);
    const texts = ids.map(
      (id) => changed.find(({ announcement }) => announcement.id === id)?.announcement.text,
    );
    assert.deepEqual(texts, ['news', 'alarm', 'fire', 'bell', 'weather']);
  });

  it('sends an announcement again that has left the list and came back', async () => {
    const { activity } = watched();
    const entries = Array.from({ length: MAX_LISTED + 1 }, () => activity.add(node, control));
    const behind = MAX_LISTED;
    const first = await activity.view(0);
    assert.equal(first.ids.at(-1), behind);
    entries.at(-1)?.started();
    const second = await activity.view(first.revision);
    assert.ok(!second.ids.includes(behind));
    entries.at(-1)?.ended();
    const third = await activity.view(second.revision);
    assert.ok(third.ids.includes(behind));
    assert.ok(third.changed.some(({ announcement }) => announcement.id === behind));
  });

  it('reads the texts of listed announcements only, once each', async () => {
    const { activity } = watched();
    let previews = 0;
    const counting = { ...control, preview: async () => `text ${(previews += 1)}` };
    const entries = Array.from({ length: 1000 }, () => activity.add(node, counting));
    assert.equal(previews, 0);
    const { revision, changed, waiting } = await activity.view(0);
    await activity.view(0);
    assert.equal(previews, MAX_LISTED);
    assert.equal(changed.length, MAX_LISTED);
    assert.deepEqual(waiting, [{ node: 'n', count: 1000 }]);
    entries[0]?.ended();
    const next = await activity.view(revision);
    assert.deepEqual(
      next.changed.map(({ announcement }) => announcement.id),
      [MAX_LISTED + 1, 1],
    );
  });

  it('does not wait for a text that is slow to evaluate, and adds it as a change', async () => {
    const { activity } = watched();
    let resolve = (_text: string): void => undefined;
    const slow = new Promise<string>((settle) => (resolve = settle));
    activity.add(node, { ...control, preview: () => slow });
    const first = await activity.view(0);
    assert.equal(first.changed[0]?.announcement.text, '');
    resolve('late');
    await slow;
    const second = await activity.view(first.revision);
    assert.deepEqual(
      second.changed.map(({ announcement }) => announcement.text),
      ['late'],
    );
  });

  it('calls a message that was stopped on purpose stopped, and another failure failed', async () => {
    const { activity } = watched();
    speak(activity, 'one', new SpeechError('aborted', 'stopped'));
    speak(activity, 'two', new SpeechError('timed-out', 'late'));
    const { changed } = await activity.view(0);
    assert.deepEqual(
      changed.map(({ announcement }) => announcement.state),
      ['failed', 'stopped'],
    );
  });

  it('keeps the text of a message that was stopped in the queue, although no editor was open', async () => {
    const { activity } = watched();
    const { revision } = await activity.view(0);
    activity.add(node, control).ended(new SpeechError('aborted', 'stopped'));
    const shown = async () => (await activity.view(revision)).changed.at(-1)?.announcement;
    await until(async () => (await shown())?.text === 'text');
    assert.equal((await shown())?.state, 'stopped');
  });

  it('keeps a text that was still being read when the message was stopped in the queue', async () => {
    const { activity } = watched();
    let resolve = (_text: string): void => undefined;
    const slow = new Promise<string>((settle) => (resolve = settle));
    const entry = activity.add(node, { ...control, preview: () => slow });
    const first = await activity.view(0);
    entry.ended(new SpeechError('aborted', 'stopped'));
    resolve('late');
    await slow;
    const { changed } = await activity.view(first.revision);
    assert.deepEqual(
      changed.map(({ announcement: { text, state } }) => [text, state]),
      [['late', 'stopped']],
    );
  });

  it('reads only the texts that stay in the record when 1,000 queued messages are stopped', async () => {
    const { activity } = watched();
    let previews = 0;
    const counting = { ...control, preview: async () => `text ${(previews += 1)}` };
    const entries = Array.from({ length: 1000 }, () => activity.add(node, counting));
    for (const entry of entries) entry.ended(new SpeechError('aborted', 'stopped'));
    await until(async () => (await activity.view(0)).changed.every(({ announcement }) => announcement.text));
    assert.equal(previews, MAX_PAST);
  });

  it('ignores reports of a node after the end of an announcement', async () => {
    const { activity } = watched();
    const entry = activity.add(node, control);
    entry.ended();
    entry.started();
    entry.note({ text: 'late' });
    entry.ended(new SpeechError('timed-out', 'late'));
    const [{ announcement } = assert.fail('no announcement')] = (await activity.view(0)).changed;
    assert.deepEqual([announcement.state, announcement.text, announcement.error], ['done', '', undefined]);
  });
});
