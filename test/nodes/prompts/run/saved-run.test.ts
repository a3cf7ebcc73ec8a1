import assert from 'node:assert/strict';
import path from 'node:path';
import { speechNode } from '../../../support/node-red/flow.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { errorOf } from '../../../support/node-red/messages.js';
import { filesIn, type PromptsFlow, reportOf, withPrompts } from '../../../support/node-red/prompts.js';
import { type Script, type Scripted, spoken } from '../../../support/net/scripted-server.js';
import { openToOthers } from '../../../support/open-to-others.js';
import { until } from '../../../support/waiting.js';

const CSV = 'text,filename,voice_id\nOne.,a.wav,voice-9\nTwo.,b.wav,voice-9\n';
/** A port that no service uses. */
const NOWHERE = 'http://127.0.0.1:9';
const resuming = { parallel: '1', resume: 'true', resumeType: 'bool' };

/** A service that speaks, but not while it hangs. */
function hangingService() {
  const service = { hangs: true, asked: 0 };
  const script: Script = () => {
    service.asked += 1;
    return service.hangs ? new Promise<Scripted>(() => {}) : spoken();
  };
  return { service, script };
}

const accountIn = (url: string) => ({
  id: 'account',
  type: 'herald-account',
  service: 'hosted',
  url,
  requestsPerMinute: '10000',
  attempts: '1',
});

describe('an interrupted run of prompts', () => {
  const data = useDataFolder();
  const saved = () => filesIn(path.join(data(), 'prompts'));

  /** Runs the CSV as bytes, with the folder in another field of the message, until the first request waits. */
  function withInterrupted(
    work: (prompts: PromptsFlow & { restart(url: string, more?: object): Promise<void> }) => Promise<void>,
  ) {
    const { service, script } = hangingService();
    return withPrompts(
      script,
      async (prompts) => {
        const { flow, folder } = prompts;
        const properties = { ...resuming, folder: 'site.folder', folderType: 'msg' };
        await flow.deploy([accountIn(prompts.server.url), speechNode('prompts', properties)]);
        flow.send('node', { payload: new Uint8Array(Buffer.from(CSV)), site: { folder } });
        await until(() => service.asked === 1);
        service.hangs = false;
        const restart = (url: string, more: object = {}) =>
          flow.deploy([accountIn(url), speechNode('prompts', { ...properties, name: url, ...more })]);
        await work({ ...prompts, restart });
      },
      { node: resuming },
    );
  }

  it('belongs to its user alone while it is saved', async () => {
    const former = process.umask(0o022);
    try {
      await withInterrupted(async () => {
        assert.deepEqual(await saved(), ['node.json']);
        assert.deepEqual(openToOthers(path.join(data(), 'prompts')), []);
      });
    } finally {
      process.umask(former);
    }
  });

  it('continues with a table in bytes, and with values from other fields of the message', () =>
    withInterrupted(async ({ flow, server, files, restart }) => {
      await restart(server.url);
      assert.equal(reportOf(await flow.out('done')).made, 2);
      assert.deepEqual([await files(), await saved()], [['a.wav', 'b.wav'], []]);
    }));

  it('stays for the next start if the service cannot be reached, and its message can be sent back in', () =>
    withInterrupted(async ({ flow, server, files, restart }) => {
      await restart(NOWHERE);
      const failed = await flow.out('retryable');
      assert.equal(errorOf(failed).code, 'no-connection');
      assert.deepEqual(await saved(), ['node.json']);
      await restart(server.url);
      assert.equal(reportOf(await flow.out('done')).made, 2);
      assert.deepEqual([await files(), await saved()], [['a.wav', 'b.wav'], []]);
      flow.send('node', failed);
      await until(() => flow.received('done').some((message) => reportOf(message).unchanged === 2));
    }));

  it('is forgotten if the node only plans now', () =>
    withInterrupted(async ({ flow, server, restart }) => {
      await restart(server.url, { action: 'plan' });
      assert.equal(reportOf(await flow.out('done')).action, 'plan');
      assert.deepEqual(await saved(), []);
    }));
});
