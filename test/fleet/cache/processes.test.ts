import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { describeWith } from '../../support/programs/describe-with.js';
import { KEY } from '../../support/service/client-for.js';
import { loadTypescript } from '../../support/run-typescript.js';
import { HANG_MS, PATIENT_MS, type RedisServer, withRedis } from '../../support/programs/redis.js';
import { type ScriptedServer, spoken, withServer } from '../../support/net/scripted-server.js';
import { sorted } from './support.js';
import { useFolder } from '../../support/folder.js';
import { until } from '../../support/waiting.js';
import { spawned } from '../../support/spawned.js';

const CHILD = path.join(__dirname, 'child.ts');
const line = z.object({
  members: z.number().optional(),
  share: z.number().optional(),
  state: z.string().optional(),
  text: z.string().optional(),
  bytes: z.number().optional(),
  cached: z.number().optional(),
  end: z.boolean().optional(),
});

interface Program {
  child: ChildProcess;
  lines: z.output<typeof line>[];
  /** Resolves when the process has ended. */
  ended: Promise<unknown>;
}

function start(
  redis: RedisServer,
  server: ScriptedServer,
  folder: string,
  texts: readonly string[],
  { commandMs = PATIENT_MS, start = 'joined' } = {},
): Program {
  const args = [...loadTypescript, CHILD, redis.url, `${commandMs}`, start, server.url, folder, ...texts];
  const child = spawned(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const lines: Program['lines'] = [];
  createInterface({ input: child.stdout }).on('line', (text) => lines.push(line.parse(JSON.parse(text))));
  return { child, lines, ended: once(child, 'close') };
}

const spokenBy = ({ lines }: Program) => lines.filter(({ bytes }) => bytes !== undefined);

describeWith(['redis-server'], 'speech of three processes of a fleet', () => {
  const folder = useFolder();
  const texts = Array.from({ length: 12 }, (_, index) => `Sentence number ${index}.`);

  it('is paid once for each text, and neither text nor API key is sent to Redis', () =>
    withRedis((redis) =>
      withServer(
        async () => {
          // The other processes must find calls that are still running.
          await new Promise((resolve) => setTimeout(resolve, 300));
          return spoken({ seconds: 1 });
        },
        async (server) => {
          const commands: string[] = [];
          const observer = new Redis(redis.url);
          const monitor = await observer.monitor();
          monitor.on('monitor', (_time, args: string[]) => commands.push(args.join(' ')));
          const programs = ['one', 'two', 'three'].map((name) => start(redis, server, folder(name), texts));
          await Promise.all(programs.map(({ ended }) => ended));
          for (const connection of [observer, monitor]) connection.disconnect();
          assert.ok(commands.some((command) => command.includes(':speech:')));
          for (const command of commands) {
            assert.ok(!command.includes('Sentence number'));
            assert.ok(!command.includes(KEY));
          }
          const results = programs.flatMap(spokenBy);
          assert.equal(results.length, 3 * texts.length);
          assert.equal(server.requests.length, texts.length);
          assert.equal(results.filter(({ cached }) => cached === 0).length, texts.length);
          assert.equal(new Set(results.map(({ bytes }) => bytes)).size, 1);
          assert.ok(programs.every(({ lines }) => lines.at(-1)?.end === true));
        },
      ),
    ));

  it('is requested once more by one process after kill -9 of the process that made the call', () =>
    withRedis((redis) => {
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      return withServer(
        () => gate.then(() => spoken({ seconds: 1 })),
        async (server) => {
          const first = start(redis, server, folder('one'), ['Hello.']);
          await until(() => server.requests.length === 1);
          const others = ['two', 'three'].map((name) => start(redis, server, folder(name), ['Hello.']));
          await until(() => others.every(({ lines }) => lines.some(({ state }) => state === 'queued')));
          first.child.kill('SIGKILL');
          await until(() => server.requests.length === 2);
          open();
          await Promise.all(others.map(({ ended }) => ended));
          assert.deepEqual(sorted(others.flatMap(spokenBy).map(({ cached }) => cached)), [0, 1]);
          assert.equal(server.requests.length, 2);
        },
      );
    }));

  it('is complete in both processes if the one that made the call was stopped, and continues later', () =>
    withRedis((redis) =>
      withServer(
        async () => {
          // The call of the stopped process ends while it cannot renew its lease.
          await new Promise((resolve) => setTimeout(resolve, 500));
          return spoken({ seconds: 1 });
        },
        async (server) => {
          const first = start(redis, server, folder('one'), ['Hello.']);
          await until(() => server.requests.length === 1);
          first.child.kill('SIGSTOP');
          const second = start(redis, server, folder('two'), ['Hello.']);
          await second.ended;
          first.child.kill('SIGCONT');
          await first.ended;
          assert.deepEqual(
            [first, second].flatMap(spokenBy).map(({ cached }) => cached),
            [0, 0],
          );
          assert.equal(server.requests.length, 2);
        },
      ),
    ));

  it('is complete in each process while Redis hangs, and after that the processes end', () => {
    let programs: Program[] = [];
    // A process that does not know the other one yet counts on the whole limit, and then waits for its share.
    const hasShare = ({ lines }: Program) => {
      const { members, share = 0 } = lines.findLast((line) => line.share !== undefined) ?? {};
      return members === 2 && share > 0;
    };
    const haveShares = () => programs.length === 2 && programs.every(hasShare);
    return withRedis((redis) =>
      withServer(
        async (_seen, index) => {
          if (index === 0) {
            // A process without a share waits for one: docs/decisions/0170-shares-that-members-lend.md.
            await until(haveShares);
            redis.hang();
          }
          return spoken({ seconds: 1 });
        },
        async (server) => {
          programs = ['one', 'two'].map((name) =>
            start(redis, server, folder(name), texts, { commandMs: HANG_MS, start: 'owner' }),
          );
          await until(() => programs.every((program) => spokenBy(program).length === texts.length));
          redis.resume();
          await Promise.all(programs.map(({ ended }) => ended));
          assert.ok(programs.every(({ lines }) => lines.at(-1)?.end === true));
        },
      ),
    );
  });
});
