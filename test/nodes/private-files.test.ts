import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useFolder } from '../support/folder.js';
import { withServer } from '../support/net/scripted-server.js';
import { startNodeRed } from '../support/node-red/node-red.js';
import { say, speakingFlows } from '../support/node-red/speaking-instance.js';
import { openToOthers } from '../support/open-to-others.js';
import { until } from '../support/waiting.js';
import { ask, goodService } from './admin/asking.js';

describe('the files of the nodes', () => {
  const folder = useFolder();
  /** The settings of a Node-RED with `umask 0`, whose files are open unless Herald closes them. */
  const script = () => `
    process.umask(0);
    process.env.HERALD_CACHE = ${JSON.stringify(folder('cache'))};
    process.env.HERALD_DATA = ${JSON.stringify(folder('data'))};
    console.log('settings in ' + __dirname + ';');`;
  const homeOf = (log: string) =>
    path.join(/^settings in (.*);$/m.exec(log)?.[1] ?? assert.fail(log), 'herald');
  const local = { account: '', typed: { service: 'local' }, request: { text: 'Hello.' } };

  it('belong to their user alone: audio of URLs, cache, budget and the local service', () =>
    withServer(goodService, async ({ url }) => {
      const account = { url, budgetPerDay: '1000', credentials: { apiKey: 'key' } };
      const flows = speakingFlows(account).map((node) =>
        node.id === 'speak' ? { ...node, output: 'url', voice_id: 'anna', language: 'en' } : node,
      );
      const nodeRed = await startNodeRed([], { script: script() });
      try {
        await nodeRed.deploy(flows);
        const { speech, error } = await say(nodeRed, 'Hello.');
        assert.ok(speech, JSON.stringify(error));
        const { json } = await ask(nodeRed.url, 'speak', local);
        assert.ok(!('error' in json), JSON.stringify(json));
        await until(() => existsSync(folder('data', 'budget')));
        const home = homeOf(nodeRed.log());
        assert.deepEqual(await readdir(home), ['audio']);
        assert.equal((await readdir(path.join(home, 'audio'))).length, 1);
        assert.notEqual((await readdir(folder('cache'))).length, 0);
        const names = await readdir(folder('data'));
        for (const name of ['budget', 'key', 'herald.sqlite', 'herald.sqlite.lock', 'clones', 'run'])
          assert.ok(names.includes(name), names.join());
        for (const place of [home, folder('cache'), folder('data')])
          assert.deepEqual(openToOthers(place), [], place);
      } finally {
        await nodeRed.stop();
      }
    }));

  it('lose the rights of other users at the start, if an earlier version gave them', async () => {
    const files = ['audio/old.wav', 'budget/account.json', 'prompts/run.json', 'key'];
    for (const file of files) {
      await mkdir(path.dirname(folder('data', file)), { recursive: true });
      await writeFile(folder('data', file), 'text');
      await chmod(folder('data', file), 0o666);
      await chmod(path.dirname(folder('data', file)), 0o777);
    }
    const nodeRed = await startNodeRed([], { script: script() });
    try {
      await until(() => openToOthers(folder('data')).length === 0);
    } finally {
      await nodeRed.stop();
    }
  });
});
