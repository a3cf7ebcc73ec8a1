import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import {
  NaturalVoiceError,
  type NaturalVoiceFailure,
} from '../../../../../service/voices/installed/errors.js';
import { openVoiceSource } from '../../../../../service/voices/natural/transfer/open-source.js';
import { leavingNothing } from '../../../../support/leftovers.js';
import { withProxy } from '../../../../support/net/proxy.js';
import { withoutStrayErrors } from '../../../../support/stray-errors.js';
import {
  md5Of,
  type MirrorFault,
  type MirrorRequest,
  withVoiceMirror,
} from '../../../../support/natural/voice-mirror.js';
import { isError, testLimits as limits } from '../support.js';
import { never } from '../../../../support/waiting.js';

const FILE = 'de/de_DE-thorsten-medium.onnx';
const content = randomBytes(300_000);
const expected = { bytes: content.length, md5: md5Of(content) };
describe('the download of a voice file', () => {
  let folder = '';
  let to = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-download-'));
    to = path.join(folder, 'voice.onnx');
    writeFileSync(path.join(folder, 'mirror.onnx'), content);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const part = () => `${to}.part`;
  const files = () => readdirSync(folder).filter((name) => name.startsWith('voice'));
  const assertWhole = () => {
    assert.ok(readFileSync(to).equals(content));
    assert.deepEqual(files(), ['voice.onnx']);
  };

  /** Downloads from a mirror with faults, and returns the requests. */
  const download = (
    faultOf?: (request: MirrorRequest) => MirrorFault | undefined,
    options: { signal?: AbortSignal; total?: number; onProgress?(bytes: number): void; file?: string } = {},
  ) =>
    withoutStrayErrors(() =>
      leavingNothing(() =>
        withVoiceMirror(
          folder,
          async ({ url, requests }) => {
            const { signal = never, total = limits.total, file = 'mirror.onnx', ...rest } = options;
            const source = openVoiceSource(url, { ...limits, total, slowest: 1e9 });
            const record = await source.download(file, to, { ...expected, signal, ...rest });
            assert.equal(record.md5, expected.md5);
            return requests;
          },
          faultOf,
        ),
      ),
    );
  const refuses = (kind: NaturalVoiceFailure, words: RegExp, ...args: Parameters<typeof download>) =>
    assert.rejects(download(...args), isError(kind, words));

  it('saves the file, and reports the bytes on disk', async () => {
    const seen: number[] = [];
    await download(undefined, { onProgress: (bytes) => void seen.push(bytes) });
    assertWhole();
    assert.equal(seen.at(-1), content.length);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });

  it('continues after a cut at any byte, with and without ETag', async () => {
    const cuts = fc.array(fc.integer({ min: 0, max: content.length }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.boolean(), async (places, hasEtag) => {
        await rm(to, { force: true });
        const ascending = places.toSorted((a, b) => a - b);
        const requests = await download(({ earlier }) => {
          const cutAt = ascending[earlier];
          return { ...(cutAt !== undefined && { cutAt }), ...(!hasEtag && { etag: null }) };
        });
        assertWhole();
        const starts = requests.map(({ headers }) => Number(/\d+/.exec(headers.range ?? '0')?.[0]));
        assert.deepEqual(
          starts,
          starts.toSorted((a, b) => a - b),
          'a byte was requested twice',
        );
      }),
      { numRuns: 15 },
    );
  });

  it('ends with the right file or a clear error after any sequence of faults', async () => {
    const at = fc.integer({ min: 0, max: content.length });
    const fault: fc.Arbitrary<MirrorFault | undefined> = fc.oneof(
      fc.record({ cutAt: at, ignoresRange: fc.boolean() }),
      fc.record({
        cutAt: at,
        content: fc.constant(Buffer.alloc(content.length, 7)),
        etag: fc.constant(null),
      }),
      fc.record({ endAt: at }),
      fc.record({ rangeOffset: fc.integer({ min: -3, max: 3 }), cutAt: at }),
      fc.record({ status: fc.constantFrom(204, 206, 416, 429, 500, 503) }),
      fc.constant({ refusesRange: true }),
      fc.constant({ redirect: '/mirror.onnx?again' }),
      fc.constant({ content: Buffer.from('<!doctype html><title>Sign in</title>') }),
      fc.constant(undefined),
    );
    const faultLists = fc.array(fault, { maxLength: 6 });
    let [whole, failed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(faultLists, fc.option(at), async (faults, size) => {
        await rm(to, { force: true });
        await rm(part(), { force: true });
        if (size !== null) writeFileSync(part(), content.subarray(0, size));
        try {
          await download(({ earlier }) => faults[earlier]);
          assertWhole();
          whole += 1;
        } catch (error) {
          assert.ok(error instanceof NaturalVoiceError, String(error));
          assert.ok(!files().includes('voice.onnx'));
          failed += 1;
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(whole > 0 && failed > 0, `${whole} files, ${failed} errors`);
  });

  it('continues the file of an earlier process', async () => {
    writeFileSync(part(), content.subarray(0, 200_000));
    const [request] = await download();
    assert.equal(request?.headers.range, 'bytes=200000-');
    assertWhole();
  });

  it('checks the file of an earlier process that has all bytes, without a request', async () => {
    writeFileSync(part(), content);
    assert.deepEqual(await download(), []);
    assertWhole();
  });

  it('begins again if the bytes on disk are wrong or too many', async () => {
    for (const wrong of [
      Buffer.alloc(1000),
      Buffer.alloc(content.length),
      Buffer.alloc(content.length + 1),
    ]) {
      writeFileSync(part(), wrong);
      await download();
      assertWhole();
      await rm(to);
    }
  });

  it('begins again if the file on the server changed since the first reply', async () => {
    const old = randomBytes(content.length);
    const requests = await download(({ earlier }) =>
      earlier === 0 ? { content: old, cutAt: 100_000 } : undefined,
    );
    assert.match(String(requests[1]?.headers['if-range']), /^"[0-9a-f]{32}"$/);
    assert.equal(requests.length, 2);
    assertWhole();
  });

  it('replaces the bytes on disk if the server ignores the range', async () => {
    writeFileSync(part(), Buffer.alloc(200_000));
    const requests = await download(() => ({ ignoresRange: true }));
    assert.equal(requests.length, 1);
    assertWhole();
  });

  it('begins again after a 416 and after a wrong Content-Range', async () => {
    for (const fault of [
      { refusesRange: true },
      { rangeOffset: -5 },
      { headers: { 'content-range': 'bytes x' } },
    ]) {
      writeFileSync(part(), content.subarray(0, 200_000));
      await download(({ earlier }) => (earlier === 0 ? fault : undefined));
      assertWhole();
      await rm(to);
    }
  });

  it('gives up after some tries without a new byte, and keeps the bytes on disk', async () => {
    let count = 0;
    await refuses('network', /connection was lost.*proxy.*folder/, ({ earlier }) => {
      count += 1;
      return { cutAt: earlier === 0 ? 100_000 : 0 };
    });
    assert.equal(count, 1 + limits.tries);
    assert.deepEqual(files(), ['voice.onnx.part', 'voice.onnx.part.etag']);
  });

  it('refuses a wrong digest, and keeps no file', async () => {
    const wrong = Buffer.alloc(content.length, 1);
    await refuses('digest', /MD5 \w+, expected \w+.*refresh the catalogue/, () => ({ content: wrong }));
    assert.deepEqual(files(), []);
  });

  it('refuses a file of another size before it writes a byte', async () => {
    for (const size of [1, 1000, content.length - 1, content.length + 1]) {
      await refuses('digest', /has \d+ bytes, the catalogue expects 300000/, () => ({
        content: Buffer.alloc(size),
      }));
      assert.deepEqual(files(), []);
    }
  });

  it('refuses a file that ends early or late without Content-Length', async () => {
    await refuses('network', /reply ended early|no byte/, () => ({ endAt: 1000 }));
    const long = Buffer.alloc(content.length * 2);
    await refuses('digest', /longer than the 300000 bytes/, () => ({
      content: long,
      endAt: long.length - 1,
    }));
  });

  it('recognizes a web page in place of the file, and keeps the bytes on disk', async () => {
    writeFileSync(part(), content.subarray(0, 1000));
    const pages = ['<!DOCTYPE html><p>Sign in', '\uFEFF\n <html lang=de>', '<!-- x --><html>'];
    for (const page of pages)
      await refuses('network', /web page.*sign-in page/, () => ({
        content: Buffer.from(page),
        ignoresRange: true,
      }));
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    await refuses('network', /web page/, () => ({
      content: Buffer.from('<p>Hi'),
      ignoresRange: true,
      headers,
    }));
    assert.equal(readFileSync(part()).length, 1000);
  });

  it('recognizes a Git LFS pointer', async () => {
    const pointer = Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 300000\n');
    await refuses('digest', /Git LFS pointer.*git lfs pull/, () => ({ content: pointer }));
  });

  it('follows some redirects, and refuses a loop', async () => {
    await download(({ earlier, file }) =>
      file.endsWith('.onnx') && earlier < 3 ? { redirect: '/mirror.onnx?again' } : undefined,
    );
    assertWhole();
    await refuses('network', /more than 5 redirects/, () => ({ redirect: '/mirror.onnx' }));
  });

  it('refuses a redirect to http on another computer, to another scheme and to an invalid address', async () => {
    await refuses('network', /redirect to http:\/\/192\.0\.2\.1\/x refused.*https/, () => ({
      redirect: 'http://user:secret@192.0.2.1/x?token=secret',
    }));
    await refuses('network', /refused/, () => ({ redirect: 'file:///etc/passwd' }));
    await refuses('network', /redirect without an address/, () => ({ redirect: 'https://[' }));
  });

  it('ends a reply that stalls, and continues it', async () => {
    await download(({ earlier }) => (earlier === 0 ? { stallAt: 1000 } : undefined));
    assertWhole();
  });

  it('ends a download that takes too long in all', async () => {
    await refuses('network', /took more than/, () => ({ stallAt: 1000 }), { total: 100 });
  });

  it('stops when its signal aborts, in a wait and in a transfer', async () => {
    for (const fault of [
      { stallAt: 100_000 },
      { stallAt: 0 },
      { status: 503, headers: { 'retry-after': '60' } },
    ]) {
      const stop = new AbortController();
      const stopped = download(
        () => {
          setTimeout(() => stop.abort(), 30);
          return fault;
        },
        { signal: stop.signal },
      );
      await assert.rejects(stopped, isError('cancelled', /cancelled/));
    }
    const gone = AbortSignal.abort();
    await refuses('cancelled', /cancelled/, undefined, { signal: gone });
  });

  it('repeats temporary statuses, and reports others at once', async () => {
    assert.equal((await download(({ earlier }) => (earlier < 2 ? { status: 503 } : undefined))).length, 3);
    await refuses('network', /status 403.*access rights/, () => ({ status: 403 }));
    await refuses('not-found', /status 404.*no such file/, undefined, { file: 'missing.onnx' });
    await refuses('network', /status 304/, () => ({ status: 304 }));
  });

  it('refuses an encoded file', async () => {
    await refuses('network', /content-encoding "gzip"/, () => ({ headers: { 'content-encoding': 'gzip' } }));
  });

  it('refuses paths that leave the repository', async () => {
    for (const file of [
      '../mirror.onnx',
      '/etc/passwd',
      'a/../../b',
      'a\\..\\b',
      'C:x',
      '',
      'a//b',
      '.hidden',
      'a\0b',
    ])
      await refuses('invalid', /expected a relative path/, undefined, { file });
  });

  it('names an unreachable server, and leaves a password out', async () => {
    const source = openVoiceSource('http://user:secret@127.0.0.1:9/voices?token=secret', limits);
    const failed = source.download(FILE, to, { ...expected, signal: never });
    await assert.rejects(failed, (error: unknown) => {
      assert.doesNotMatch(String(error), /secret/);
      return isError(
        'network',
        /http:\/\/127\.0\.0\.1:9\/voices\/de\/.*refuses the connection \(ECONNREFUSED\)/,
      )(error);
    });
    assert.equal(source.address, 'http://127.0.0.1:9/voices');
  });

  it('sends the login of the address to the mirror', async () => {
    await withVoiceMirror(folder, async ({ url, requests }) => {
      const source = openVoiceSource(url.replace('//', '//user:p%20w@'), limits);
      await source.download('mirror.onnx', to, { ...expected, signal: never });
      const login = Buffer.from('user:p w').toString('base64');
      assert.equal(requests[0]?.headers.authorization, `Basic ${login}`);
    });
  });

  it('uses the proxy of the environment, also without a scheme, except for loopback addresses', async () => {
    const before = process.env['HTTP_PROXY'];
    await withVoiceMirror(folder, async ({ url }) => {
      await withProxy({ to: Number(new URL(url).port) }, async (proxy) => {
        process.env['HTTP_PROXY'] = proxy.url.replace('http://', '');
        try {
          const options = { ...expected, signal: never };
          await openVoiceSource(url, limits).download('mirror.onnx', to, options);
          assert.deepEqual(proxy.asked, []);
          await openVoiceSource('http://voices.invalid', limits).download('mirror.onnx', to, options);
          assert.deepEqual(proxy.asked, ['voices.invalid:80']);
        } finally {
          if (before === undefined) delete process.env['HTTP_PROXY'];
          else process.env['HTTP_PROXY'] = before;
        }
      });
    });
  });
});
