import assert from 'node:assert/strict';
import http from 'node:http';
import * as fc from 'fast-check';
import { inspectAudio, operations, z } from '@herald-speech/client';
import { administer } from '../../../../service/accounts/administer.js';
import { speechHeader } from '../../../../service/kit/audio/wav.js';
import { startTestService, type TestService } from '../../../support/service/service.js';
import { form, sample } from './clone-form.js';

/** docs/interface.md#clone */
describe('a clone request', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(async () => service.close());

  const upload = (body: FormData) => service.send('POST', '/v1/custom-voices/cloned-voice', body);
  async function clone(name: string): Promise<string> {
    const reply = await upload(form({ files: sample(), name }));
    assert.equal(reply.status, 200);
    return operations.createClonedVoice.response.parse(await reply.json()).voice_id;
  }
  async function refused(body: FormData, status: number, message: RegExp): Promise<void> {
    const reply = await upload(body);
    assert.equal(reply.status, status);
    assert.match(await reply.text(), message);
    const list = await service.send('GET', '/v1/custom-voices');
    assert.equal(operations.listCustomVoices.response.parse(await list.json()).total, 0);
  }
  it('gets a 400 for a name or description with a NUL character', async () => {
    await refused(form({ files: sample(), name: 'a\0b' }), 400, /name is .*NUL/);
    const id = await clone('Me');
    const reply = await service.send('PATCH', `/v1/custom-voices/${id}`, { description: 'a\0b' });
    assert.equal(reply.status, 400);
    assert.equal((await service.send('GET', '/v1/custom-voices/clone%00')).status, 404);
  });

  it('gets a 400 for a missing field and for a long name', async () => {
    await refused(form({ name: 'Me' }), 400, /files is missing/);
    await refused(form({ files: sample() }), 400, /name is missing/);
    await refused(form({ files: sample(), name: 'x'.repeat(101) }), 400, /name is .*100/);
    await refused(form({ files: 'text', name: 'Me' }), 400, /files is .*expected a Buffer/);
  });

  it('gets a 400 with the reason for a silent, short or damaged sample', async () => {
    const silence = Buffer.concat([speechHeader(16_000, 64_000), Buffer.alloc(64_000)]);
    await refused(form({ files: silence, name: 'Me' }), 400, /silent/);
    await refused(form({ files: sample(120, 0.5), name: 'Me' }), 400, /too short/);
    await refused(form({ files: sample().subarray(0, 1000), name: 'Me' }), 400, /truncated/);
  });

  it('gets a 400 for a sample rate that is too low for speech', async () => {
    for (const rate of [1, 25, 3999]) {
      const slow = Buffer.concat([speechHeader(rate, 64_000), sample().subarray(44), Buffer.alloc(64)]);
      await refused(form({ files: slow.subarray(0, 44 + 64_000), name: 'Me' }), 400, /sample rate of \d+ Hz/);
    }
  });

  it('gets a 400 at once for a second file, a part without a name, or a skipped part', async () => {
    const two = form({ files: sample(), name: 'Me' });
    two.append('files', new Blob([Uint8Array.from(sample())]), 'second.wav');
    await refused(two, 400, /more than one file/);
    const key = await newKey(service, 'radio');
    const parts: Array<[string, RegExp]> = [
      ['content-disposition: form-data; filename="a.wav"', /has no name/],
      ['content-disposition: form-data', /has no name/],
      ['content-disposition: form-data; name=""', /has no name/],
      ['content-disposition: attachment; name="files"', /missing|incomplete/],
      ['content-type: audio/wav', /missing|incomplete/],
    ];
    for (const [header, message] of parts) {
      const file = Buffer.concat([Buffer.from(`--x\r\n${header}\r\n\r\n`), sample(), Buffer.from('\r\n')]);
      for (const body of [[file], [file, file]]) {
        const reply = await sendForm({ ...service, key }, Buffer.concat([...body, Buffer.from('--x--\r\n')]));
        assert.equal(reply.status, 400, header);
        assert.match(await reply.text(), body.length > 1 ? ANY_FAULT : message, header);
      }
    }
  });

  it('gets an error status within the time limit for any mutation of a valid form', async () => {
    const keys: string[] = [];
    for (let name = 0; name < 10; name += 1) keys.push(await newKey(service, `account ${name}`));
    let sent = 0;
    const body = await whole(form({ files: sample(120, 1.2), name: 'Me' }));
    const edit = fc.record({
      at: fc.nat(400),
      remove: fc.nat(40),
      insert: fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.constantFrom(...snippets)),
    });
    const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const mutated = edits.reduce((form, { at, remove, insert }) => splice(form, at, remove, insert), body);
      // Each account may clone ten voices per minute.
      const key = keys[Math.floor(sent++ / 10)] ?? assert.fail('too many runs');
      const { status } = await sendForm({ ...service, key }, mutated);
      assert.ok([200, 400, 413, 415].includes(status), `status ${status}`);
    });
    await fc.assert(property, { numRuns: 10 * keys.length, endOnFailure: true, seed: 20_261_122 });
  });

  it('gets a 415 for a picture with the file name of a WAV', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    await refused(
      form({ files: png, name: 'Me' }, 'voice.wav'),
      415,
      /"message":"files: expected a WAV or MP3/,
    );
  });

  it('gets a 413 for more than 3 MB', async () => {
    const big = Buffer.alloc(3_000_001);
    sample().copy(big);
    await refused(form({ files: big, name: 'Me' }), 413, /3 MB/);
    await refused(form({ files: Buffer.alloc(8_000_000), name: 'Me' }), 413, /3 MB/);
  });

  it('gets a 413 before the end of an endless file', async () => {
    const reply = await endlessUpload(service);
    assert.equal(reply.statusCode, 413);
  });

  it('succeeds with a file of exactly 3 MB', async () => {
    const file = Buffer.alloc(3_000_000);
    sample().copy(file);
    file.set(speechHeader(16_000, file.length - 44));
    assert.equal(inspectAudio(file).format, 'wav');
    assert.equal((await upload(form({ files: file, name: 'Me' }))).status, 200);
  });

  it('gets a 400 if its body is not a form', async () => {
    const headers = { 'x-sup-api-key': service.key };
    const where = `${service.url}/v1/custom-voices/cloned-voice`;
    for (const type of ['application/json', 'multipart/form-data', 'multipart/form-data; boundary=x']) {
      const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body: '{}' };
      assert.equal((await fetch(where, init)).status, 400, type);
    }
  });

  it('succeeds 10 times per minute, and then gets a 429 with Retry-After', async () => {
    for (let made = 0; made < 10; made++) await clone(`voice ${made}`);
    const reply = await upload(form({ files: sample(), name: 'one more' }));
    assert.equal(reply.status, 429);
    assert.match(reply.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
    assert.match(await reply.text(), /"error":"Too Many Requests"/);
  });
});

/** The reply to a form with several faults names any of them. */
const ANY_FAULT = /has no name|missing|incomplete|more than one file/;

const snippets = ['\r\n', '--x\r\n', '\r\n--x--\r\n', '\r\n\r\n', 'filename="a"', ';', '\0'].map((text) =>
  Buffer.from(text),
);

function splice(form: Buffer, at: number, remove: number, insert: Uint8Array): Buffer {
  return Buffer.concat([form.subarray(0, at), insert, form.subarray(at + remove)]);
}

/** Returns the bytes of a form with the boundary `x`. */
async function whole(body: FormData): Promise<Buffer> {
  const response = new Response(body);
  const boundary = /boundary=(.*)/.exec(response.headers.get('content-type') ?? '')?.[1] ?? '';
  const bytes = Buffer.from(await response.arrayBuffer());
  return Buffer.from(bytes.toString('latin1').replaceAll(boundary, 'x'), 'latin1');
}

/** Creates an account and returns its key. */
async function newKey({ data }: TestService, name: string): Promise<string> {
  const created = z.object({ result: z.object({ key: z.object({ key: z.string() }) }) });
  const command = { command: 'accounts create', name, tier: 'pro', credits: 9 };
  return created.parse(await administer(data, command)).result.key.key;
}

/** Sends the bytes of a form with the boundary `x`. */
function sendForm({ url, key }: Pick<TestService, 'url' | 'key'>, body: Buffer): Promise<Response> {
  const headers = { 'x-sup-api-key': key, 'content-type': 'multipart/form-data; boundary=x' };
  const init = { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(10_000) };
  return fetch(`${url}/v1/custom-voices/cloned-voice`, init);
}

/** Sends a form with an endless file until the service replies. */
function endlessUpload({ url, key }: TestService): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-sup-api-key': key, 'content-type': 'multipart/form-data; boundary=line' };
    const request = http.request(`${url}/v1/custom-voices/cloned-voice`, { method: 'POST', headers });
    const write = () => {
      while (!request.destroyed && request.write(Buffer.alloc(65_536)));
    };
    request.on('drain', write).once('error', reject);
    request.once('response', (reply) => {
      request.off('error', reject).once('error', () => undefined);
      request.destroy();
      resolve(reply);
    });
    request.write('--line\r\ncontent-disposition: form-data; name="files"; filename="x"\r\n\r\n');
    write();
  });
}
