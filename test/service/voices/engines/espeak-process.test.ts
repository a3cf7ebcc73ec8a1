import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { EspeakChild } from '../../../../service/voices/engines/espeak/espeak-child.js';
import { findEspeak } from '../../../../service/voices/engines/espeak/plugin.js';
import { describeWith } from '../../../support/programs/describe-with.js';
import { loadTypescript } from '../../../support/run-typescript.js';
import { startTestService } from '../../../support/service/service.js';
import { withinTime } from '../../../../service/voices/engines/espeak/time-limit.js';
import { until } from '../../../support/waiting.js';
import { spawned } from '../../../support/spawned.js';

const OWNER = path.join(__dirname, 'espeak-owner.ts');
const execArgv = [...loadTypescript];
const hello = { voice: 'en+man', text: 'Hello.', rate: 175, pitch: 50, range: 50 };

describeWith(['ps'], "eSpeak's process", () => {
  const owners: ChildProcess[] = [];
  /** Starts a process again if an earlier test has ended it. */
  let child: EspeakChild;
  before(() => {
    child = new EspeakChild();
  });
  after(() => child.close());
  afterEach(() => {
    for (const owner of owners.splice(0)) owner.kill('SIGKILL');
  });

  function startOwner(...args: string[]): ChildProcess {
    const owner = spawned(fork(OWNER, args, { execArgv, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }));
    owners.push(owner);
    return owner;
  }

  async function childOf(owner: ChildProcess): Promise<number> {
    assert.ok(owner.stdout);
    const [line] = await once(owner.stdout, 'data');
    return Number(String(line));
  }

  it('ends after `kill -9` of its parent process', async () => {
    const owner = startOwner('stay');
    const pid = await childOf(owner);
    assert.ok(isAlive(pid));
    owner.kill('SIGKILL');
    await untilDead(pid);
  });

  it('does not keep its parent process alive, and ends with it', async () => {
    const owner = startOwner();
    owner.disconnect();
    const pid = await childOf(owner);
    const [code] = await once(owner, 'exit');
    assert.equal(code, 0);
    await untilDead(pid);
  });

  it('ends after the termination of its worker thread', async () => {
    const worker = new Worker(OWNER, { execArgv, argv: ['stay'] });
    const [pid] = await once(worker, 'message');
    assert.ok(isAlive(pid));
    await worker.terminate();
    await untilDead(pid);
  });

  it('leaves no entry in the process table after a sentence that hangs, speaks the next text, and leaves none when the service closes', async () => {
    const before = new Set(childrenOf(process.pid));
    const own = () => childrenOf(process.pid).filter((pid) => !before.has(pid));
    const service = await startTestService({ speech: { size: 1, timeLimit: 6000, grace: 10 } });
    const speak = () =>
      service.send('POST', '/v1/text-to-speech/de-anna', { text: 'Hallo.', language: 'de' });
    try {
      // The time limit may be too short for the start on a busy computer.
      await until(async () => (await speak()).status === 200);
      const [speech, ...others] = own();
      assert.deepEqual(others, []);
      assert.ok(speech);
      const [espeak] = childrenOf(speech);
      assert.ok(espeak);
      process.kill(Number(espeak), 'SIGSTOP');
      const reply = await speak();
      assert.equal(reply.status, 408, await reply.text());
      await until(() => !isInTable(Number(espeak)));
      await until(async () => (await speak()).status === 200);
      assert.deepEqual(
        childrenOf(speech).filter((pid) => isZombie(Number(pid))),
        [],
      );
    } finally {
      await service.close();
    }
    assert.deepEqual(own(), []);
  });

  it('starts again after a crash', async () => {
    const before = await child.utter(hello);
    const pid = kill(child, 'SIGKILL');
    await untilDead(pid);
    await until(() => child.pid === undefined);
    assert.deepEqual(await child.utter(hello), before);
    assert.notEqual(child.pid, pid);
  });

  it('fails the sentence during which it ends, and speaks the next sentence', async () => {
    await child.utter(hello);
    const pid = kill(child, 'SIGSTOP');
    const lost = assert.rejects(child.utter(hello), /ended with SIGKILL|did not receive/);
    const next = child.utter(hello);
    process.kill(pid, 'SIGKILL');
    await lost;
    assert.ok((await next).samples.length > 0);
  });

  it('reads the next text at once if the caller of the text in work has gone', async () => {
    const texts = { voice: 'en', texts: ['Hello.'] };
    const before = await child.phonemes(texts);
    const pid = kill(child, 'SIGSTOP');
    const [gone, waiting] = [new AbortController(), new AbortController()];
    const lost = [gone, waiting].map(({ signal }) => assert.rejects(child.phonemes(texts, signal)));
    const next = child.phonemes(texts);
    // The first text is in work then.
    await nextTurn();
    waiting.abort(new Error('gone'));
    gone.abort(new Error('gone'));
    assert.deepEqual(await next, before);
    await Promise.all([...lost, untilDead(pid)]);
  });

  it('is killed and replaced if it exceeds the time limit', async () => {
    const limited = new EspeakChild({ timeLimit: 4000 });
    // The time limit may be too short for the start on a busy computer.
    const speaks = () =>
      limited.utter(hello).then(
        ({ samples }) => samples.length > 0,
        () => false,
      );
    await until(speaks);
    const pid = kill(limited, 'SIGSTOP');
    await assert.rejects(limited.utter(hello), /^SpeechTimeoutError: eSpeak exceeded the time limit of 4 s/);
    await untilDead(pid);
    await until(speaks);
    await limited.close();
  });

  it('interrupts a synthesis that hangs', () => {
    const hang = () => {
      for (;;);
    };
    assert.equal(withinTime(50, hang), undefined);
    assert.equal(
      withinTime(1000, () => 'done'),
      'done',
    );
  });

  it('reports an unknown voice and continues', async () => {
    await assert.rejects(child.utter({ ...hello, voice: 'nowhere' }), /voice "nowhere": unknown/);
    assert.ok((await child.utter(hello)).samples.length > 0);
  });

  it('answers simultaneous requests, each with its own audio', async () => {
    const long = { ...hello, text: 'This is a longer sentence.' };
    const [one, two, three] = await Promise.all([child.utter(hello), child.utter(long), child.utter(hello)]);
    assert.deepEqual(one, three);
    assert.ok(two.samples.length > one.samples.length);
  });
});

describe('without the optional package', () => {
  it('finds no eSpeak', () => {
    const missing = () => {
      throw new Error('not found');
    };
    assert.equal(findEspeak(missing), undefined);
  });
});

function kill(child: EspeakChild, signal: NodeJS.Signals): number {
  const { pid } = child;
  assert.ok(pid);
  process.kill(pid, signal);
  return pid;
}

function isAlive(pid: number): boolean {
  return isInTable(pid) && !isZombie(pid);
}

/** Whether the table of processes has the process, which may have ended. */
function isInTable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process has ended and its exit code was not read. The child of a terminated worker stays in this state. */
function isZombie(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && /^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}

/** Process ids of the children of a process, including zombies. */
function childrenOf(parentPid: number | string): string[] {
  const list = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,comm='], { encoding: 'utf8' });
  const rows = list.split('\n').map((row) => row.trim().split(/\s+/));
  return rows.flatMap(([parent, pid, name]) =>
    parent === String(parentPid) && pid !== undefined && name !== 'ps' ? [pid] : [],
  );
}

async function untilDead(pid: number): Promise<void> {
  await until(() => !isAlive(pid));
}
