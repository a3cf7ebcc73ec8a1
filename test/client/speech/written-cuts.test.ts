import assert from 'node:assert/strict';
import { writtenCuts } from '../../../client/speech/written-cuts.js';
import { figuresReading, plainReading } from '../../../client/text/reading.js';

describe('the readings of the services that may speak a text', () => {
  const failing = figuresReading(() => {
    throw new Error('no rules');
  });
  const text = 'Wind 12.';
  const cuts = [{ text, start: 0, end: text.length }];
  const written = { text, spans: [], language: 'en', readings: [plainReading, failing], maxLength: 300 };

  it('stop no other service if one of them fails', async () => {
    const sent = await writtenCuts({ ...written, reading: plainReading }, cuts);
    assert.deepEqual(
      sent.map((cut) => cut.sent),
      [text],
    );
  });

  it('fail with the service that uses them', async () => {
    await assert.rejects(writtenCuts({ ...written, reading: failing }, cuts), /no rules/);
  });
});
