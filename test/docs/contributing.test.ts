import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { speechNode, withHostedFlow } from '../support/node-red/flow.js';

const root = path.join(__dirname, '../..');
const voice = {
  voice_id: 'v1',
  name: 'Anna',
  age: 'elder',
  gender: 'female',
  use_case: 'audiobook',
  use_cases: [],
  language: ['en'],
  styles: ['neutral'],
  models: ['main_speech_1'],
};

describe('CONTRIBUTING.md', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'herald-contributing-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has an example of a node that runs', () => {
    const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
    const file = path.join(folder, 'voice-details.ts');
    const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
    // A new type, so that a contributor can also add the example itself. The imports count from the folder `nodes/`.
    const ownType = example.replace('herald-voice-details', 'herald-example');
    writeFileSync(
      file,
      ownType.replaceAll("from './", () => `from '${path.join(root, 'nodes')}/`),
    );
    const node = speechNode('example', { voice_id: 'v1' });
    return withHostedFlow(
      () => ({ body: voice }),
      [node],
      async (flow, { requests }) => {
        flow.send('node', { topic: 'kept' });
        const { payload, topic } = await flow.out('done');
        assert.deepEqual({ payload, topic }, { payload: voice, topic: 'kept' });
        assert.equal(requests[0]?.path, '/v1/voices/v1');
      },
      { modules: [require(file)], describesVoices: true },
    );
  });

  it('has a limit of lines for a file that each page follows', () => {
    for (const page of ['nodes/account.html', 'nodes/listen.html', 'service/console/page/index.html']) {
      const { length } = readFileSync(path.join(root, page), 'utf8').trimEnd().split('\n');
      assert.ok(length < 250, `${page} has ${length} lines`);
    }
  });
});
