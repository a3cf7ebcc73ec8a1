import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MarkSigner, newMarkKey, withMark } from '@herald-speech/client';
import { wavOf } from '../../support/audio-files.js';
import { logIn, type NodeRed, startNodeRed } from '../../support/node-red/node-red.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { until } from '../../support/waiting.js';
import { password, settingsWith } from './users.js';

const users = { writer: ['flows.read', 'flows.write'], reader: ['herald.read'], stranger: ['flows.read'] };
const signer = new MarkSigner(newMarkKey());

describe('the admin endpoint that checks a mark', () => {
  const folder = useDataFolder();
  const pem = newMarkKey();
  const own = new MarkSigner(pem);
  const tokens = new Map<string, string>();
  let nodeRed: NodeRed;

  before(async () => {
    await writeFile(path.join(folder(), 'mark-key.pem'), pem);
    nodeRed = await startNodeRed([], {
      settings: settingsWith(users),
      user: { username: 'writer', password },
    });
    for (const username of Object.keys(users))
      tokens.set(username, await logIn(nodeRed.url, { username, password }));
  });
  after(() => nodeRed?.stop());

  const post = (body: Uint8Array, headers: Record<string, string> = {}, user = 'reader') =>
    fetch(`${nodeRed.url}herald/verify`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.get(user) ?? ''}`,
        'content-type': 'application/octet-stream',
        ...headers,
      },
      body: new Uint8Array(body),
    });
  const replyTo = async (file: Uint8Array, headers: Record<string, string> = {}): Promise<string> =>
    JSON.stringify(await (await post(file, headers)).json());

  it('says if this Herald made a file, and if it is unchanged', async () => {
    const file = withMark(wavOf(), { voice: 'v', signer: own });
    assert.match(await replyTo(file), /"verdict":"unchanged".*"voice":"v"/);
    const changed = Buffer.from(file);
    changed[60] = (changed[60] ?? 0) ^ 1;
    assert.match(await replyTo(changed), /"verdict":"changed"/);
    assert.match(await replyTo(withMark(wavOf(), { signer })), /"verdict":"foreign"/);
    assert.match(await replyTo(withMark(wavOf(), {})), /"verdict":"unsigned"/);
    assert.match(await replyTo(wavOf()), /"verdict":"unmarked"/);
  });

  /** Starts an upload that ends early. */
  function leave(length: number): Promise<void> {
    const sent = request(`${nodeRed.url}herald/verify`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.get('reader') ?? ''}`,
        'content-type': 'application/octet-stream',
        'content-length': length,
      },
    });
    sent.on('error', () => undefined);
    sent.write(wavOf());
    return new Promise((resolve) => {
      sent.on('close', resolve);
      setTimeout(() => sent.destroy(), 300);
    });
  }

  it('checks a file although editors before it closed during their uploads', async () => {
    const left = [leave(5000), leave(50_000_000), leave(5000)];
    const file = withMark(wavOf(), { signer: own });
    assert.match(await replyTo(file), /"verdict":"unchanged"/);
    await Promise.all(left);
    assert.match(await replyTo(file), /"verdict":"unchanged"/);
  });

  it('checks a file although an editor before it sends its file a byte at a time', async () => {
    const slow = request(`${nodeRed.url}herald/verify`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.get('reader') ?? ''}`,
        'content-type': 'application/octet-stream',
        'content-length': 5_000_000,
      },
    });
    slow.on('error', () => undefined).write('RIFF');
    const bytes = setInterval(() => slow.write('x'), 500);
    try {
      await sleep(500);
      assert.match(await replyTo(withMark(wavOf(), { signer: own })), /"verdict":"unchanged"/);
      await until(() => slow.destroyed);
    } finally {
      clearInterval(bytes);
      slow.destroy();
    }
  });

  it('refuses a file of over 100 MB before it reads it', async () => {
    const reply = await post(new Uint8Array(100_000_001));
    assert.equal(reply.status, 413);
    assert.match(await replyTo(new Uint8Array(100_000_000)), /no WAV/);
  });

  it('names a damaged file', async () => {
    assert.match(await replyTo(Buffer.from('fLaC')), /the file is damaged/);
    assert.match(await replyTo(new Uint8Array()), /no WAV/);
  });

  it('checks several files at once, one after another', async () => {
    const file = withMark(wavOf({ seconds: 5 }), { signer: own });
    const replies = await Promise.all(Array.from({ length: 6 }, () => replyTo(file)));
    for (const reply of replies) assert.match(reply, /"verdict":"unchanged"/);
  });

  it('names another kind of file in the language of the editor', async () => {
    const page = Buffer.from('<html></html>');
    assert.match(await replyTo(page), /the file is no WAV, MP3, AAC, FLAC or Ogg Opus/);
    assert.match(await replyTo(page, { 'accept-language': 'de' }), /die Datei ist weder WAV/);
  });

  it('refuses users without permission, and pages of other sites', async () => {
    assert.equal((await post(wavOf(), {}, 'stranger')).status, 401);
    assert.equal((await post(wavOf(), { authorization: '' })).status, 401);
    assert.equal((await post(wavOf(), { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await post(wavOf(), { 'content-type': 'text/plain' })).status, 415);
  });
});

describe('the admin endpoint that checks a mark, with a damaged key', () => {
  const folder = useDataFolder();
  let nodeRed: NodeRed;

  before(async () => {
    await writeFile(path.join(folder(), 'mark-key.pem'), 'no key');
    nodeRed = await startNodeRed([]);
  });
  after(() => nodeRed?.stop());

  it('calls no file foreign, and says that the key is not readable', async () => {
    const replyTo = async (file: Uint8Array) => {
      const headers = { 'content-type': 'application/octet-stream' };
      const body = new Uint8Array(file);
      return (await fetch(`${nodeRed.url}herald/verify`, { method: 'POST', headers, body })).text();
    };
    assert.match(await replyTo(withMark(wavOf(), { signer })), /the key of this Herald is not readable/);
    assert.match(await replyTo(wavOf()), /"verdict":"unmarked"/);
  });
});
