import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import http, { type ClientRequest } from 'node:http';
import path from 'node:path';
import { withMark, withoutMark } from '@herald-speech/client';
import { administer } from '../../../service/accounts/administer.js';
import { useFolder } from '../../support/folder.js';
import { startTestService, type TestService } from '../../support/service/service.js';

const KEY_FILE = 'mark-key.pem';

interface Result {
  verdict: string;
  mark?: object;
  key?: string;
}

/** docs/service.md#check-a-mark */
describe('the routes for the mark of synthetic speech', () => {
  let service: TestService;
  let spoken: Buffer;

  before(async () => {
    service = await startTestService();
    spoken = await speak(service);
  });
  after(() => service.close());

  const speak = async (from: TestService): Promise<Buffer> => {
    const reply = await from.send('POST', '/v1/text-to-speech/slt', { text: 'Hello.', language: 'en' });
    return Buffer.from(await reply.arrayBuffer());
  };
  const post = (file: Uint8Array, headers: Record<string, string> = { 'x-sup-api-key': service.key }) =>
    fetch(`${service.url}/console/api/verify`, { method: 'POST', headers, body: Buffer.from(file) });
  const verified = async (file: Uint8Array): Promise<Result> => {
    const reply = await post(file);
    assert.equal(reply.status, 200);
    return (await reply.json()) as Result;
  };

  it('say of a reply of the service that it is unchanged, with voice, language and key', async () => {
    const reply = await service.send('GET', '/console/api/mark');
    const { key } = (await reply.json()) as { key: string };
    assert.match(key, /^[\w-]{43}$/);
    const mark = { product: 'Herald', voice: 'slt', language: 'en' };
    assert.deepEqual(await verified(spoken), { verdict: 'unchanged', mark, key });
  });

  it('distinguish changed, unsigned and unmarked files', async () => {
    const changed = Buffer.from(spoken);
    changed.writeInt16LE(changed.readInt16LE(2000) + 1, 2000);
    assert.equal((await verified(changed)).verdict, 'changed');
    assert.equal((await verified(withMark(spoken, { voice: 'slt' }))).verdict, 'unsigned');
    assert.deepEqual(await verified(withoutMark(spoken)), { verdict: 'unmarked' });
  });

  it('recognize a file of another service', async () => {
    const other = await startTestService();
    try {
      assert.equal((await verified(await speak(other))).verdict, 'foreign');
    } finally {
      await other.close();
    }
  });

  const begun: ClientRequest[] = [];
  afterEach(() => {
    for (const request of begun.splice(0)) request.destroy();
  });

  /** Sends the beginning of a file. Returns the status of the reply when it arrives. */
  async function begin(key: string, length = spoken.length): Promise<{ status: Promise<number> }> {
    const headers = { 'x-sup-api-key': key, 'content-length': length };
    const request = http.request(`${service.url}/console/api/verify`, { method: 'POST', headers });
    begun.push(request);
    request.on('error', () => undefined);
    const status = new Promise<number>((resolve) =>
      request.once('response', ({ statusCode = 0 }) => resolve(statusCode)),
    );
    await new Promise((resolve) => request.write(spoken.subarray(0, 100), resolve));
    return { status };
  }

  describe('with files that arrive slowly', () => {
    it('check the file of another account at once, however many files one account sends', async () => {
      const replies: number[] = [];
      for (let count = 0; count < 3; count += 1)
        void (await begin(service.key)).status.then((status) => replies.push(status));
      const other = await keyOf(service, 'kitchen');
      assert.equal((await post(spoken, { 'x-sup-api-key': other })).status, 200);
      assert.deepEqual(replies, []);
    });

    it('refuse a file that does not arrive, and then check the next one', async () => {
      const key = await keyOf(service, 'cellar');
      const refused = await begin(key);
      const next = post(spoken, { 'x-sup-api-key': key });
      assert.equal(await refused.status, 408);
      assert.equal((await next).status, 200);
    });
  });

  it('need a key of any account, and refuse a file that is not audio or too large', async () => {
    const stranger = await keyOf(service, 'radio');
    assert.equal((await post(spoken, {})).status, 401);
    assert.equal((await fetch(`${service.url}/console/api/mark`)).status, 401);
    assert.equal((await post(spoken, { 'x-sup-api-key': stranger })).status, 200);
    const refused = await post(Buffer.from('%PDF-1.7'));
    assert.equal(refused.status, 415);
    assert.match(((await refused.json()) as { message: string }).message, /neither WAV, MP3/);
    // The head has the length: the file itself need not arrive.
    assert.equal(await (await begin(service.key, 100_000_001)).status, 413);
  });
});

/** Creates an account of a running service, and returns its key. */
async function keyOf({ data }: TestService, name: string): Promise<string> {
  const reply = await administer(data, { command: 'accounts create', name });
  assert.ok('result' in reply);
  return (reply.result as { key: { key: string } }).key.key;
}

describe('the key of the mark', () => {
  const folder = useFolder();

  it('is made at the first start for its owner alone, and stays the same', async () => {
    const keys = [];
    for (let start = 0; start < 2; start += 1) {
      const service = await startTestService({ data: folder('data') });
      const reply = await service.send('GET', '/console/api/mark');
      keys.push(((await reply.json()) as { key: string }).key);
      await service.close();
    }
    assert.equal(keys[0], keys[1]);
    assert.equal((await stat(path.join(folder('data'), KEY_FILE))).mode & 0o777, 0o600);
  });

  it('exists also if the service marks nothing, so that it can check files', async () => {
    const service = await startTestService({ data: folder('data'), mark: false });
    assert.equal((await service.send('GET', '/console/api/mark')).status, 200);
    await service.close();
  });

  it('stops the start with advice if its file is damaged', async () => {
    const service = await startTestService({ data: folder('data') });
    await service.close();
    await writeFile(path.join(folder('data'), KEY_FILE), 'no key');
    await assert.rejects(
      startTestService({ data: folder('data') }),
      /mark-key\.pem does not contain a key: delete the file to get a new key/,
    );
  });
});
