import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import type { NodeDefinition } from '../../nodes/lib/define-node.js';
import { savedName } from '../../nodes/lib/property.js';
import { rowsOf } from '../../scripts/build/editor-form.mjs';
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

const exported = z.object({
  definition: z.custom<NodeDefinition<z.ZodObject>>((one) => typeof one === 'object' && one !== null),
});

describe('CONTRIBUTING.md', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'herald-contributing-'));
    file = path.join(folder, 'voice-details.ts');
    const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
    // A new type, so that a contributor can also add the example itself. The imports count from the folder `nodes/`.
    const ownType = example.replace('herald-voice-details', 'herald-example');
    writeFileSync(
      file,
      ownType.replaceAll("from './", () => `from '${path.join(root, 'nodes')}/`),
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has an example of a node that runs', () => {
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

  it('has an example of a node whose dialog offers no default of the account for its required voice', () => {
    const { definition } = exported.parse({ ...require(file) });
    const rows = rowsOf(definition, { savedName, onByDefault: () => [], triedFields: [], languages: [] });
    assert.deepEqual(
      rows.map(({ field, isRequired }) => [field, isRequired]),
      [['voice_id', true]],
    );
  });

  it('has a limit of lines for a file that each page follows', () => {
    for (const page of ['nodes/account.html', 'nodes/listen.html', 'service/console/page/index.html']) {
      const { length } = readFileSync(path.join(root, page), 'utf8').trimEnd().split('\n');
      assert.ok(length < 250, `${page} has ${length} lines`);
    }
  });
});
