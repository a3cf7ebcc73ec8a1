/** Users who may work with Herald, but not write flows, as some editors of a shared Node-RED. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { useFolder } from '../../../support/folder.js';
import { logIn, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { ask, failureOf } from '../asking.js';
import { password, settingsWith } from '../users.js';

const SECRET = 'sk-key-of-the-service';
const users = {
  admin: '*',
  writer: ['herald.read', 'herald.write'],
  author: ['herald.read', 'herald.write', 'flows.write'],
};
const local = { account: '', typed: { service: 'local' } };
const rows = [{ text: 'Hello.', filename: 'hello.wav' }];

describe('admin endpoints that read a typed path', () => {
  const folder = useFolder();
  let nodeRed: NodeRed;
  const tokens = new Map<string, string>();
  before(async function () {
    nodeRed = await startNodeRed([], {
      settings: settingsWith(users),
      user: { username: 'admin', password },
    });
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(() => nodeRed?.stop());

  const as = (user: string, name: string, body: object) => ask(nodeRed.url, name, body, tokens.get(user));
  const secret = () => folder('secret');
  const planOf = (more: object) => ({ ...local, request: { folder: folder('new'), ...more } });
  const speech = (more: object) => ({ ...local, request: { text: 'Hello.', ...more } });

  const requests: [string, string, () => object][] = [
    ['a plan of a CSV file', 'prompts/plan', () => planOf({ csv_file: secret() })],
    ['a plan of a folder', 'prompts/plan', () => planOf({ rows, folder: secret() })],
    ['a plan with a chime', 'prompts/plan', () => planOf({ rows, chime: secret() })],
    ['a prompt file', 'prompts/audio', () => ({ folder: folder(), filename: 'secret' })],
    ['a trial with a chime', 'speak', () => speech({ chime: 'file', chime_file: secret() })],
    ['a trial with the path of a chime', 'speak', () => speech({ chime: secret() })],
    ['an import of voices', 'natural-voices/import', () => ({ ...local, folder: secret() })],
    ['a test sound with a base URL', 'reach/test', () => ({ base_url: nodeRed.url })],
  ];
  for (const [what, name, body] of requests)
    it(`return 401 for ${what}, unless the user may write flows`, async () => {
      await writeFile(secret(), SECRET);
      const refused = await as('writer', name, body());
      assert.deepEqual([refused.status, refused.json], [401, {}]);
      const read = await as('author', name, body());
      assert.equal(read.status, 200);
      assert.ok(!read.text.includes(SECRET), read.text);
    });

  it('speak, and record a test sound, without a path for a user who may not write flows', async () => {
    for (const [name, body] of [
      ['speak', speech({ chime: 'gong' })],
      ['reach/test', {}],
    ] as const) {
      const { status, json } = await as('writer', name, body);
      assert.equal(status, 200);
      assert.ok(!('error' in json), JSON.stringify(json));
    }
  });

  it('name only known columns of a file that is no table', async () => {
    const csv_file = folder('private.csv');
    const contents = [
      [`${SECRET},Voice-ID\n`, /missing columns: text, filename.*: voice_id$/],
      [`${SECRET},${SECRET}\n`, /column 1 and column 2 have the same name/],
      [`voice_settings.${SECRET},text`, /missing columns: filename.*: text$/],
    ] as const;
    for (const [content, message] of contents) {
      await writeFile(csv_file, content);
      const answer = await as('author', 'prompts/plan', planOf({ csv_file }));
      assert.match(failureOf(answer).message, message);
      assert.ok(!answer.text.includes(SECRET), answer.text);
    }
  });

  it('plan the values of the dialog for a user who may write flows', async () => {
    const csv_file = folder('table.csv');
    await writeFile(csv_file, 'text,filename\nHello.,hello.wav\n');
    await mkdir(folder('prompts'));
    const { json } = await as('author', 'prompts/plan', planOf({ csv_file, folder: folder('prompts') }));
    assert.equal(json['count'], 1, JSON.stringify(json));
  });
});
