import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { withTimeLimit } from '../../../../nodes/output/files/time-limit.js';
import { checkWritable, readBounded } from '../../../../nodes/output/files/files.js';
import { writeFileOf } from '../../../../nodes/output/to-file.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { rendered } from '../rendered.js';
import { never } from '../../../support/waiting.js';

/** Milliseconds after which stopped work counts as hanging, with a margin. */
const HANGS_MS = 700;
/** Writes a file in parts of 1 MB. */
const writeAtomically = (file: string, bytes: Uint8Array, signal: AbortSignal) =>
  writeFileOf(rendered(bytes), { file }, signal);
const badRequest = { code: 'bad-request', route: 'fatal' };

describe('readBounded', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('reads a file of the maximum size and rejects a larger one', async () => {
    await writeFile(at('ten'), '0123456789');
    assert.equal(Buffer.from(await readBounded(at('ten'), 10, never)).toString(), '0123456789');
    await assert.rejects(readBounded(at('ten'), 9, never), {
      ...badRequest,
      message: /ten": expected at most 9 bytes/,
    });
  });

  it('rejects folders, pipes and devices, which could be endless', async () => {
    await mkdir(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    const rejects = (place: string, message: RegExp) =>
      assert.rejects(readBounded(place, 10, never), { ...badRequest, message });
    await rejects(at('folder'), /this path is a folder: add the name of a file/);
    for (const place of [at('pipe'), '/dev/zero']) await rejects(place, /not a regular file: choose/);
  });

  it('rejects a missing file with a fix in place of the message of the system', async () => {
    await assert.rejects(readBounded(at('missing'), 10, never), {
      ...badRequest,
      message: /missing": no such file or folder: correct the path$/,
    });
  });

  it('rejects with the reason of the signal when the node is stopped', async () => {
    await writeFile(at('large'), Buffer.alloc(1_000_000));
    const stopped = new Error('stopped');
    await assert.rejects(readBounded(at('large'), 2_000_000, AbortSignal.abort(stopped)), stopped);
  });
});

describe('writeFileOf', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('writes as many files of a run at a time as the user wants without a warning of Node.js', async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const names = Array.from({ length: 32 }, (_, index) => at(`${index}`));
    await Promise.all(names.map((name) => writeAtomically(name, Buffer.alloc(10), signal)));
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });

  it('replaces the content of an existing file', async () => {
    await writeFile(at('note'), 'former and longer');
    await writeAtomically(at('note'), Buffer.from('new'), never);
    assert.equal(await readFile(at('note'), 'utf8'), 'new');
  });

  const LARGE = Buffer.alloc(100_000_000);
  const temporary = async () => (await readdir(folder())).filter((name) => name.endsWith('.part'));
  const untilTemporary = async (exists: boolean) => {
    while ((await temporary()).length > 0 !== exists) await nextTurn();
  };

  it('keeps the existing file and removes its temporary file if the node is stopped during the write', async () => {
    await writeFile(at('kept'), 'former');
    const controller = new AbortController();
    const stopped = new Error('stopped');
    const writing = assert.rejects(writeAtomically(at('kept'), LARGE, controller.signal), stopped);
    await untilTemporary(true);
    controller.abort(stopped);
    await writing;
    await untilTemporary(false);
    assert.equal(await readFile(at('kept'), 'utf8'), 'former');
  });

  it('removes its temporary file if the path becomes a folder during the write', async () => {
    const writing = assert.rejects(writeAtomically(at('taken'), LARGE, never), {
      ...badRequest,
      message: /taken/,
    });
    await untilTemporary(true);
    await mkdir(at('taken'));
    await writing;
    assert.deepEqual(await temporary(), []);
    assert.ok((await lstat(at('taken'))).isDirectory());
  });
});

describe('a path that no audio may replace', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);
  const sound = Buffer.from('sound');
  const check = (file: string) => checkWritable({ file }, never);
  const replace = (file: string) => writeAtomically(file, sound, never);
  const read = (file: string) => readBounded(file, 9, never);
  const write = async (file: string) => {
    await check(file);
    await replace(file);
  };

  it('is a pipe, device, socket or folder: the error names the path, and the path stays', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    await mkdir(at('album'));
    const socket = createServer().listen(at('socket'));
    await new Promise((resolve) => socket.once('listening', resolve));
    try {
      for (const file of [at('fifo'), at('socket'), '/dev/null']) {
        const before = (await lstat(file)).mode;
        for (const attempt of [check, replace])
          await assert.rejects(attempt(file), { ...badRequest, message: /pipe, device or socket/ });
        assert.equal((await lstat(file)).mode, before);
      }
      await assert.rejects(write(at('album')), { ...badRequest, message: /album": this path is a folder/ });
    } finally {
      await new Promise((resolve) => socket.close(resolve));
    }
  });

  it('is a symbolic link: its target gets the audio, and the link stays', async () => {
    await mkdir(at('shelf'));
    await writeFile(at('shelf/real.wav'), 'former');
    await symlink(at('shelf/real.wav'), at('link.wav'));
    await write(at('link.wav'));
    assert.ok((await lstat(at('link.wav'))).isSymbolicLink());
    assert.equal(await readFile(at('shelf/real.wav'), 'utf8'), 'sound');
    await symlink(at('nowhere'), at('broken.wav'));
    await assert.rejects(write(at('broken.wav')), { ...badRequest, message: /broken\.wav/ });
  });

  for (const [what, name] of [
    ['a NUL', 'a\0b.wav'],
    ['300 characters', `${'x'.repeat(300)}.wav`],
    ['a file as its folder', 'note/b.wav'],
  ] as const) {
    it(`has ${what}: reading and writing reject with bad-request`, async () => {
      await writeFile(at('note'), 'text');
      for (const attempt of [check, replace, read]) await assert.rejects(attempt(at(name)), badRequest);
    });
  }

  it('is not the name of the maximum length', async () => {
    const file = at(`${'x'.repeat(251)}.wav`);
    await write(file);
    assert.equal(await readFile(file, 'utf8'), 'sound');
  });
});

describe('checkWritable', () => {
  const folder = useDataFolder();
  const at = (name: string) => path.join(folder(), name);

  it('leaves no file', async () => {
    await checkWritable({ file: at('new.wav') }, never);
    assert.deepEqual(await readdir(folder()), []);
  });

  it('rejects a missing folder with its name and the fix, and creates it on request', async () => {
    const file = at('one/two/new.wav');
    await assert.rejects(checkWritable({ file }, never), {
      ...badRequest,
      message: /^folder ".*one\/two" does not exist: create it/,
    });
    await checkWritable({ file }, never, true);
    await writeAtomically(file, Buffer.from('sound'), never);
    assert.equal(await readFile(file, 'utf8'), 'sound');
  });

  it('rejects a missing folder in a file system that creates none', () =>
    assert.rejects(checkWritable({ file: '/proc/one/two/sound.wav' }, never, true), {
      ...badRequest,
      message: /no such file or folder/,
    }));

  it('rejects a folder that accepts no files', () =>
    assert.rejects(checkWritable({ file: '/proc/sound.wav' }, never), {
      ...badRequest,
      message: /\/proc\/sound/,
    }));
});

describe('work on a file that never answers', () => {
  const released: (() => void)[] = [];
  /** Work that hangs until the end of the test, whatever its signal does. */
  const hang = () => new Promise<void>((resolve) => released.push(resolve));
  const late = { code: 'timed-out', route: 'retryable' };
  const work = async () => 'done';
  afterEach(async () => {
    for (const release of released.splice(0)) release();
    await nextTurn();
  });

  it('rejects as timed-out with the name of the file', () =>
    assert.rejects(withTimeLimit('/dead/share', never, hang, 10), {
      ...late,
      message: /"\/dead\/share": the file system did not answer within 0\.01 s/,
    }));

  it('rejects at once with the reason of the signal', async () => {
    const controller = new AbortController();
    const working = withTimeLimit('/dead/share', controller.signal, hang);
    controller.abort(new Error('stopped'));
    await assert.rejects(working, /stopped/);
  });

  it('lets further work in its folder fail at once, and work in other folders succeed', async () => {
    await assert.rejects(withTimeLimit('/dead/one', never, hang, 10), late);
    await sleep(HANGS_MS);
    const started = released.length;
    await assert.rejects(withTimeLimit('/dead/two', never, hang), late);
    assert.equal(released.length, started);
    assert.equal(await withTimeLimit('/alive/one', never, work), 'done');
  });

  it('hangs at most twice at a time', async () => {
    const dead = ['/a/x', '/b/x', '/c/x', '/d/x'].map((file) =>
      assert.rejects(withTimeLimit(file, never, hang, 50), late),
    );
    await Promise.all(dead);
    await sleep(HANGS_MS);
    await assert.rejects(withTimeLimit('/e/x', never, hang), late);
    assert.equal(released.length, 2);
  });

  it('is possible again in its folder after the file system has answered', async () => {
    await assert.rejects(withTimeLimit('/dead/one', never, hang, 10), late);
    await sleep(HANGS_MS);
    for (const release of released.splice(0)) release();
    await nextTurn();
    assert.equal(await withTimeLimit('/dead/one', never, work), 'done');
  });
});
