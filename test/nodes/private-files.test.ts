import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
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

  /** Creates a file and its folder with all rights for all users, in a script. */
  const opened = (file: string) => `
    fs.mkdirSync(require('node:path').dirname(${file}), { recursive: true });
    fs.writeFileSync(${file}, 'text', { mode: 0o666 });`;

  it('lose the rights of other users at the start, and folders of the user with the same names keep theirs', async () => {
    const inHome = (file: string) => `__dirname + ${JSON.stringify(`/herald/${file}`)}`;
    const inData = (file: string) => JSON.stringify(folder('data', file));
    const files = [inHome('audio/a.wav'), ...['budget/a.json', 'prompts/a.json', 'audio/a.wav'].map(inData)];
    const before = ["const fs = require('node:fs');", ...files.map(opened)].join('');
    const nodeRed = await startNodeRed([], { script: `${script()}${before}` });
    try {
      const home = homeOf(nodeRed.log());
      await until(() => openToOthers(path.join(home, 'audio'))[0] !== '. 777');
      await until(() => !openToOthers(folder('data')).some((place) => /^(budget|prompts) /.test(place)));
      assert.deepEqual(openToOthers(home), ['audio/a.wav 666']);
      assert.ok(openToOthers(folder('data')).includes('audio 777'));
      assert.ok(openToOthers(folder('data')).includes('audio/a.wav 666'));
    } finally {
      await nodeRed.stop();
    }
  });
});
