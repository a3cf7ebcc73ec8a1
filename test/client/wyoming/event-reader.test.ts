import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { encodeEvent, type WyomingEvent } from '../../../client/wyoming/event.js';
import { EventReader, readerLimits } from '../../../client/wyoming/event-reader.js';
import { ProtocolError } from '../../../client/wyoming/protocol-error.js';

/** Any event, with data of all JSON types and a payload that may contain newlines. */
const anyEvent: fc.Arbitrary<WyomingEvent> = fc.record({
  type: fc.string({ minLength: 1, unit: 'grapheme' }),
  data: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }), {
    noNullPrototype: true,
  }),
  payload: fc.uint8Array({ maxLength: 200 }),
});

const line = (text: string): Buffer => Buffer.from(`${text}\n`);
const plain = ({ type, data, payload = new Uint8Array() }: WyomingEvent) => ({
  type,
  data,
  payload: [...payload],
});

function readAll(
  pieces: readonly Uint8Array[],
  reader = new EventReader({ keepsPayload: true }),
): WyomingEvent[] {
  return pieces.flatMap((piece) => [...reader.read(piece)]);
}

/** Splits bytes at random places. Empty pieces are possible. */
function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index]));
}

/** Returns the code of the error that the bytes cause. */
function failureOf(bytes: Uint8Array): string {
  try {
    readAll([bytes]);
    return 'none';
  } catch (error) {
    assert(error instanceof ProtocolError);
    return error.code;
  }
}

describe('the reader of Wyoming events', () => {
  it('reads the same events from 1,000 random splits of the bytes', () => {
    const property = fc.property(
      fc.array(anyEvent, { maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (events, cuts) => {
        const bytes = Buffer.concat(events.map(encodeEvent));
        assert.deepEqual(
          readAll(split(bytes, cuts)).map(plain),
          JSON.parse(JSON.stringify(events.map(plain))),
        );
      },
    );
    fc.assert(property, { numRuns: 1000 });
  });

  it('reads events that arrive one byte at a time', () => {
    const event = { type: 'synthesize', data: { text: 'Grüße, 你好 👋' }, payload: Buffer.from('\n\0{') };
    const bytes = Buffer.concat([encodeEvent(event), encodeEvent({ type: 'ping', data: {} })]);
    const events = readAll([...bytes].map((byte) => Uint8Array.of(byte)));
    assert.deepEqual(events.map(plain), [plain(event), plain({ type: 'ping', data: {} })]);
  });

  it('merges the data after the line into the data of the line', () => {
    const header = line(
      JSON.stringify({ type: 'x', data: { a: 1, b: 1 }, data_length: 13, payload_length: null }),
    );
    const [event] = readAll([header, Buffer.from('{"b":2,"c":3}')]);
    assert.deepEqual(event?.data, { a: 1, b: 2, c: 3 });
  });

  it('accepts absent data, empty lines and lines that end with CR LF', () => {
    const events = readAll([line('\n\r\n{"type":"ping","data":null}\r'), line('{"type":"describe"}')]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ping', 'describe'],
    );
  });

  it('keeps a property named __proto__ as data', () => {
    const [event] = readAll([line('{"type":"x","data":{"__proto__":{"text":"no"}}}')]);
    assert.equal(event?.data['text'], undefined);
  });

  it('drops a payload as it arrives, and reads the event after it', () => {
    const reader = new EventReader();
    const large = encodeEvent({ type: 'audio-chunk', data: {}, payload: new Uint8Array(5_000_000) });
    const events = readAll(split(Buffer.concat([large, line('{"type":"ping"}')]), [1000, 3_000_000]), reader);
    assert.deepEqual(
      events.map(({ type, payload }) => [type, payload]),
      [
        ['audio-chunk', undefined],
        ['ping', undefined],
      ],
    );
  });

  const broken: ReadonlyArray<[string, Uint8Array, string]> = [
    ['a line that is not JSON', line('GET / HTTP/1.1'), 'invalid-json'],
    ['a line that is not an object', line('[1]'), 'invalid-event'],
    ['a line that is not UTF-8', Buffer.from([0x22, 0xff, 0x22, 10]), 'invalid-utf-8'],
    ['an event without a type', line('{"data":{}}'), 'invalid-event'],
    ['a type that is not a text', line('{"type":5}'), 'invalid-event'],
    ['data that is not an object', line('{"type":"x","data":[1]}'), 'invalid-event'],
    ['a negative length', line('{"type":"x","data_length":-1}'), 'invalid-event'],
    ['a length that is not an integer', line('{"type":"x","payload_length":1.5}'), 'invalid-event'],
    ['a length that is not a number', line('{"type":"x","data_length":"2"}'), 'invalid-event'],
    ['a length that is not exact', line('{"type":"x","data_length":1e300}'), 'invalid-event'],
    ['data shorter than data_length', line('{"type":"x","data_length":3}\n{}{"type":"x"}'), 'invalid-json'],
    ['data that is not JSON', Buffer.from('{"type":"x","data_length":2}\n{a'), 'invalid-json'],
    ['data that is not an object', Buffer.from('{"type":"x","data_length":4}\nnull'), 'invalid-event'],
    [
      'data that is not UTF-8',
      Buffer.from([...line('{"type":"x","data_length":3}'), 0x22, 0xc3, 0x22]),
      'invalid-utf-8',
    ],
    ['a line that is too long', Buffer.alloc(readerLimits.line + 1, ' '), 'line-too-long'],
    ['a complete line that is too long', line(' '.repeat(readerLimits.line + 1)), 'line-too-long'],
    ['data that is too long', line(`{"type":"x","data_length":${readerLimits.data + 1}}`), 'data-too-long'],
    [
      'a payload that is too long',
      line(`{"type":"x","payload_length":${readerLimits.payload + 1}}`),
      'payload-too-long',
    ],
  ];
  for (const [title, bytes, code] of broken) {
    it(`rejects ${title} as ${code}`, () => assert.equal(failureOf(bytes), code));
  }

  it('rejects or reads any bytes without another error', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string().map((text) => line(`{"type":${text}}`)),
    );
    fc.assert(
      fc.property(noise, (bytes) => failureOf(bytes) !== ''),
      { numRuns: 500 },
    );
  });
});
