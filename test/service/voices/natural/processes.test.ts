import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import path from 'node:path';
import readline from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { NaturalVoiceFailure } from '../../../../service/voices/installed/errors.js';
import { VoiceFolder } from '../../../../service/voices/natural/install/voice-folder.js';
import { describeWith } from '../../../support/programs/describe-with.js';
import { close, listen } from '../../../support/net/fault-server.js';
import { selfSigned } from '../../../support/net/proxy.js';
import { loadTypescript } from '../../../support/run-typescript.js';
import { writeStubVoice } from '../../../support/natural/stub-voice.js';
import {
  type MirrorFault,
  type MirrorRequest,
  withVoiceMirror,
} from '../../../support/natural/voice-mirror.js';
import { kill } from '../../accounts/store/support.js';
import { useFolder } from '../../../support/folder.js';
import { fromProgram, spawned } from '../../../support/spawned.js';

const NAME = 'de_DE-stub-medium';
const PROGRAM = path.join(__dirname, 'install-process.ts');
const ROUNDS = 2;
const report = z.object({ bytes: z.number().default(0) });

describe('a process that installs a voice', () => {
  const place = useFolder();
  const voices = () => place('voices');
  const children: ChildProcess[] = [];
  beforeEach(() => writeStubVoice(place('mirror/stub'), { name: NAME, weightBytes: 2_000_000 }));
  afterEach(async () => Promise.all(children.splice(0).map(kill)));

  const partial = () => (existsSync(place('voices/.partial')) ? readdirSync(place('voices/.partial')) : []);
  const mirrored = <Result>(
    work: (url: string) => Promise<Result>,
    faultOf: (request: MirrorRequest) => MirrorFault | undefined = () => undefined,
  ) => withVoiceMirror(place('mirror'), ({ url }) => work(url), faultOf);

  /** Starts a process. `reaches` resolves when it reports `bytes` or more, `last` with its last line. */
  function start(mode: string, url: string, variables: Record<string, string> = {}) {
    const env = { ...process.env, ...variables };
    const args = [...loadTypescript, PROGRAM, mode, voices(), url, place('mirror'), 'stub', NAME];
    const child = spawned(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] }));
    children.push(child);
    const lines = readline.createInterface(child.stdout);
    let latest = '{}';
    lines.on('line', (line) => (latest = line));
    const closed = once(lines, 'close');
    const reaches = (bytes: number) =>
      new Promise<void>((resolve) => {
        lines.on('line', (line) => {
          if (report.parse(JSON.parse(line)).bytes >= bytes) resolve();
        });
        lines.once('close', resolve);
      });
    return {
      child,
      reaches,
      last: async (): Promise<Record<string, unknown>> => {
        await closed;
        return JSON.parse(latest);
      },
    };
  }

  it('leaves a whole voice or none after kill -9 at any moment, and the next process completes it', async () => {
    await mirrored(
      async (url) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const { child, reaches } = start('install', url);
          await reaches(0);
          await delay(Math.random() * 400);
          await kill(child);
          const folder = new VoiceFolder(voices());
          if (folder.list().length === 0) continue;
          assert.deepEqual(await folder.verify(NAME), []);
          await folder.remove(NAME);
        }
        assert.deepEqual(await start('install', url).last(), { names: [NAME], problems: [] });
        // A process that was killed before it locked leaves a socket, which a later one removes.
        for (const name of partial()) assert.deepEqual(readdirSync(place('voices/.partial', name)), ['run']);
      },
      () => ({ pause: 2 }),
    );
  });

  it('removes the socket of a process that was killed before it locked', async () => {
    const socket = place('voices/.partial', NAME, 'run', '1-0123456789abcdef.lock.new');
    mkdirSync(path.dirname(socket), { recursive: true });
    writeFileSync(socket, '');
    utimesSync(socket, 0, 0);
    await mirrored(async (url) => {
      assert.deepEqual(await start('install', url).last(), { names: [NAME], problems: [] });
    });
    assert.deepEqual(partial(), []);
  });

  it('continues the download of a killed process', async () => {
    const ranges: unknown[] = [];
    await mirrored(
      async (url) => {
        const { child, reaches } = start('install', url);
        await reaches(500_000);
        await kill(child);
        assert.deepEqual(new VoiceFolder(voices()).list(), []);
        assert.deepEqual(await start('install', url).last(), { names: [NAME], problems: [] });
      },
      ({ file, headers }) => {
        if (file.endsWith('.onnx')) ranges.push(headers.range);
        return { pause: 2 };
      },
    );
    assert.equal(ranges[0], undefined);
    assert.match(String(ranges[1]), /^bytes=[1-9]\d*-$/);
  });

  it('reports another process that installs the same voice', async () => {
    await mirrored(
      async (url) => {
        const first = start('install', url);
        await first.reaches(50_000);
        const { kind, message } = await start('install', url).last();
        assert.equal(kind, 'busy');
        assert.match(String(message), new RegExp(`${NAME}: process ${first.child.pid} installs or removes`));
        await kill(first.child);
      },
      ({ file }) => (file.endsWith('.onnx') ? { stallAt: 100_000 } : undefined),
    );
  });

  it('completes a voice that several processes install at once', async () => {
    await mirrored(async (url) => {
      const ends = await Promise.all([1, 2].map(() => start('install', url).last()));
      for (const end of ends) {
        if (end['kind'] === undefined) assert.deepEqual(end, { names: [NAME], problems: [] });
        else assert.equal(end['kind'], 'busy', String(end['message']));
      }
      assert.ok(ends.some(({ kind }) => kind === undefined));
      assert.deepEqual(await new VoiceFolder(voices()).verify(NAME), []);
      assert.deepEqual(partial(), []);
    });
  });

  it('reports a folder that belongs to another user', async () => {
    const isRoot = process.getuid?.() === 0;
    chmodSync(place(), isRoot ? 0o755 : 0o555);
    const { kind, message } = await mirrored((url) =>
      start('install', url, isRoot ? { HERALD_TEST_USER: '65534' } : {}).last(),
    );
    chmodSync(place(), 0o755);
    assert.equal(kind, 'read-only', String(message));
    assert.match(String(message), /access denied: check the owner and the permissions.*voices/);
  });

  it('trusts the authority in NODE_EXTRA_CA_CERTS, also after a redirect from http to https', async () => {
    const content = (file: string) => readFileSync(place('mirror', file));
    const server = createTlsServer({ key: selfSigned, cert: selfSigned }, ({ url = '' }, reply) =>
      reply.end(content(url)),
    );
    const port = await listen(server);
    const redirect = ({ file }: MirrorRequest) => ({ redirect: `https://127.0.0.1:${port}/${file}` });
    try {
      await mirrored(async (url) => {
        const { kind, message } = await start('install', url).last();
        assert.equal(kind, 'network');
        assert.match(String(message), /certificate of the server is not trusted.*NODE_EXTRA_CA_CERTS/);
        const env = { NODE_EXTRA_CA_CERTS: path.join(__dirname, '../../../support/net/self-signed.pem') };
        assert.deepEqual(await start('install', url, env).last(), { names: [NAME], problems: [] });
      }, redirect);
    } finally {
      server.closeAllConnections();
      await close(server);
    }
  });

  describeWith(['unshare'], 'on a disk of 6 MB', () => {
    const SET_UP = `mkdir -p "$0" && mount -t tmpfs -o size=6m tmpfs "$0"
      run() { "$NODE" --require "$LOADER" "$PROGRAM" "$1" "$0" "$MIRROR" "$ROOT" stub ${NAME}; }`;

    /** Mounts a disk on VOICES in a namespace, which needs no rights. Then runs a script, in which `run MODE` is a process. */
    async function onDisk(script: string, url: string): Promise<unknown[]> {
      const files = { NODE: process.execPath, LOADER: loadTypescript[1], PROGRAM, ROOT: place('mirror') };
      const env = { ...process.env, ...files, MIRROR: url };
      const child = spawned(
        spawn('unshare', ['-rm', 'sh', '-c', `${SET_UP}; ${script}`, voices()], {
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
        'util-linux',
      );
      children.push(child);
      const output = await fromProgram(child, text(child.stdout));
      const lines = output
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      return lines.filter((line) => !/"(phase|started)"/.test(JSON.stringify(line)));
    }

    const isFailure = (line: unknown, ...expected: [kind: NaturalVoiceFailure, words: RegExp]) => {
      const { kind, message } = z.object({ kind: z.string(), message: z.string() }).parse(line);
      assert.equal(kind, expected[0], message);
      assert.match(message, expected[1]);
    };

    it('reports a disk that becomes full, and leaves nothing behind', async () => {
      const script = 'run fill; rm "$0/filler"; ls -A "$0/.partial" | wc -l; run install';
      const [failure, rests, end] = await mirrored((url) => onDisk(script, url));
      isFailure(failure, 'disk', /disk is full: free some space/);
      assert.equal(rests, 0);
      assert.deepEqual(end, { names: [NAME], problems: [] });
    });

    it('reports missing space before the download', async () => {
      const [failure] = await mirrored((url) => onDisk('head -c 4m /dev/zero >"$0/x"; run install', url));
      isFailure(failure, 'disk', /needs \d\.\d MB, .* has \d\.\d MB free/);
    });

    it('lists the voices of a read-only folder, and refuses changes', async () => {
      const script = 'run install >/dev/null; mount -o remount,ro "$0"; run list; run remove; run install';
      const [list, ...failures] = await mirrored((url) => onDisk(script, url));
      assert.deepEqual(list, { names: [NAME], problems: [] });
      assert.equal(failures.length, 2);
      for (const failure of failures) isFailure(failure, 'read-only', /not writable|read-only/);
    });
  });
});
