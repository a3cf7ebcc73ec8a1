import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { AudioError } from '../../../client/base/audio-error.js';
import { withMark } from '../../../client/audio/mark-in-file.js';
import { MarkSigner, newMarkKey } from '../../../client/audio/signature.js';
import { verifyApart } from '../../../client/audio/verify-apart.js';
import { verifyAudio } from '../../../client/audio/verify.js';
import { mp3Of, wavOf } from '../../support/audio-files.js';

const signer = new MarkSigner(newMarkKey());
const { signal } = new AbortController();
const copyOf = (file: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(file);

/** Megabytes of memory for a check. A small limit needs small files to reach it. */
const MEMORY_MB = 32;

/** 4 MB of 570,000 frames without sound. An object for each would need more memory than the limit. */
function emptyFrames(): Uint8Array<ArrayBuffer> {
  const tag = withMark(mp3Of(), { signer }).subarray(0, -mp3Of().length);
  const file = new Uint8Array(4_000_000);
  file.set(tag);
  const frame = [0xff, 0xf1, 0x50, 0x80, 0, 0xe0, 0];
  for (let at = tag.length; at + frame.length <= file.length; at += frame.length) file.set(frame, at);
  return file;
}

describe('a check in a thread', () => {
  it('has the result of a check in place, also for a Buffer that shares its memory', async () => {
    const file = withMark(wavOf(), { voice: 'v', signer });
    const small = Buffer.from(file);
    for (const bytes of [copyOf(file), small])
      assert.deepEqual(await verifyApart(bytes, [signer.key], signal), verifyAudio(file, [signer.key]));
  });

  it('rejects files without a mark with the error of a check in place', async () => {
    for (const kind of ['not-audio', 'incomplete'] as const) {
      const file = Buffer.from(kind === 'not-audio' ? '<html></html>' : 'fLaC');
      await assert.rejects(
        verifyApart(copyOf(file), [], signal),
        (error) => error instanceof AudioError && error.kind === kind,
      );
    }
  });

  it('leaves the program free while it reads a large file, and needs no memory for each frame', async () => {
    let turns = 0;
    const watch = setInterval(() => (turns += 1), 5);
    try {
      assert.equal((await verifyApart(emptyFrames(), [signer.key], signal, MEMORY_MB)).verdict, 'changed');
    } finally {
      clearInterval(watch);
    }
    assert.ok(turns > 10, String(turns));
  });

  it('rejects a file of millions of tags between frames instead of filling the memory', async () => {
    const part = Buffer.from('ID3\x04\0\0\0\0\0\0\xff\xf1\x50\x80\0\xe0\0', 'latin1');
    const file = new Uint8Array(part.length * 600_000);
    Buffer.from(file.buffer).fill(part);
    await assert.rejects(
      verifyApart(file, [], signal, MEMORY_MB),
      (error) => error instanceof AudioError && error.kind === 'unsupported',
    );
  });

  it('has a limit of 256 MB for the objects of a check', async () => {
    const limits: WorkerOptions['resourceLimits'][] = [];
    class Watched extends threads.Worker {
      constructor(program: string, options: WorkerOptions) {
        super(program, options);
        limits.push(options.resourceLimits);
      }
    }
    const { Worker } = threads;
    Object.assign(threads, { Worker: Watched });
    try {
      await verifyApart(copyOf(withMark(wavOf(), { signer })), [], signal);
    } finally {
      Object.assign(threads, { Worker });
    }
    assert.deepEqual(limits, [{ maxOldGenerationSizeMb: 256 }]);
  });

  it('ends at once when its signal aborts', async () => {
    const controller = new AbortController();
    const checked = verifyApart(emptyFrames(), [], controller.signal);
    const reason = new Error('the caller left');
    await nextTurn();
    controller.abort(reason);
    await assert.rejects(checked, reason);
    await assert.rejects(verifyApart(copyOf(wavOf()), [], controller.signal), reason);
  });
});
