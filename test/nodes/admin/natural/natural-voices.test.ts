import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';
import { type Script, withServer } from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';
import { ask, failureOf } from '../asking.js';
import { CARD, naturalService, RUNNING } from '../natural-service.js';

const hosted = (url: string) => ({ typed: { service: 'hosted', url, apiKey: 'key' } });
const name = 'de_DE-anna-medium';
const message = (text: string) => ({ status: 'error', message: { message: text } });

describe('admin endpoints of natural voices', () => {
  const nodeRed = useNodeRed();
  const answerOf = (route: string, body: object, language?: string) =>
    ask(nodeRed().url, route, body, undefined, language);

  it('return the natural voices of the local service, and the folder for packages', async () => {
    const { json } = await answerOf('natural-voices', { typed: { service: 'local' } });
    assert.ok(Array.isArray(json['voices']), JSON.stringify(json));
    assert.match(String(json['userDir']), /herald-node-red-/);
  });

  it('send the digest of the accepted model card, and the name of the voice in the path', () =>
    withServer(
      (request) => naturalService().routes(request) ?? { status: 404 },
      async ({ url, requests }) => {
        const { json } = await answerOf('natural-voices/install', {
          ...hosted(url),
          name: 'pt_PT-tugão-medium',
          card: CARD.sha256,
        });
        assert.deepEqual(json, { job: RUNNING });
        const [sent] = requests;
        assert.equal(decodeURIComponent(sent?.path ?? ''), '/console/api/voices/pt_PT-tugão-medium');
        assert.deepEqual(sent?.json, { card: CARD.sha256 });
      },
    ));

  it('return a whole model card, because the user accepts all of it', async () => {
    const cardOf = (text: string) =>
      withServer(
        () => ({ body: { ...CARD, text } }),
        async ({ url }) => answerOf('natural-voices/card', { ...hosted(url), name }),
      );
    const { json } = await cardOf('x'.repeat(65_536));
    assert.equal(String(json['text']).length, 65_536);
    assert.equal(failureOf(await cardOf('x'.repeat(65_537))).code, 'bad-reply');
  });

  it('return the reason of the service in the language of the editor, after one attempt', () => {
    const full = 'de_DE-anna-medium: the disk is full';
    return withServer(
      () => ({ status: 500, body: message(full) }),
      async ({ url, requests }) => {
        const answer = await answerOf('natural-voices/install', { ...hosted(url), name, card: '1' }, 'de');
        assert.equal(failureOf(answer).message, `Meldung des Dienstes (englisch): ${full}`);
        assert.equal(requests.length, 1);
      },
    );
  });

  it('name the voice repository as the failed part if the service cannot read the model card', () => {
    const failed = 'http://mirror/MODEL_CARD: HTTP status 500. Try again later';
    return withServer(
      () => ({ status: 503, body: message(failed) }),
      async ({ url }) => {
        const answer = await answerOf('natural-voices/card', { ...hosted(url), name }, 'de');
        const reason =
          'die Quelle der Stimmen hat die Datei nicht geliefert. Ohne Netz: Wählen Sie unter „Aus einem Ordner importieren“ einen Ordner mit ihren Dateien.';
        assert.equal(failureOf(answer).message, `${reason} Meldung des Dienstes (englisch): ${failed}`);
      },
    );
  });

  it('import a folder: a relative path of the local service starts at the folder of the settings', async () => {
    const local = { typed: { service: 'local' } };
    const { json } = await answerOf('natural-voices/import', { ...local, folder: 'missing-voices' });
    const { folder } = z.object({ job: z.object({ folder: z.string() }) }).parse(json).job;
    assert.ok(path.isAbsolute(folder) && folder.endsWith(`${path.sep}missing-voices`), folder);
    await until(async () => {
      const reply = await answerOf('natural-voices/import-job', local);
      const { job } = z
        .object({ job: z.looseObject({ isDone: z.boolean(), kind: z.string().nullable() }) })
        .parse(reply.json);
      if (job.isDone) assert.equal(job.kind, 'no-folder');
      return job.isDone;
    });
    await withServer(
      (request) => naturalService().routes(request) ?? { status: 404 },
      async ({ url, requests }) => {
        await answerOf('natural-voices/import', { ...hosted(url), folder: 'voices' });
        assert.deepEqual(requests[0]?.json, { folder: 'voices' });
      },
    );
    assert.equal((await answerOf('natural-voices/import', { ...local, folder: ' ' })).status, 400);
  });

  it('return "not found" for a service without natural voices, also if it replies with a page', async () => {
    const replies: Script[] = [
      () => ({ status: 404, body: message('not found') }),
      () => ({ headers: { 'content-type': 'text/html' }, body: Buffer.from('<html></html>') }),
    ];
    const codes = await Promise.all(
      replies.map((script) =>
        withServer(script, async ({ url }) => failureOf(await answerOf('natural-voices', hosted(url))).code),
      ),
    );
    assert.deepEqual(codes, ['not-found', 'bad-reply']);
  });

  it('refuse a request without a name, or with a name that is too long', async () => {
    for (const wrong of [{}, { name: '' }, { name: 'x'.repeat(201) }])
      assert.equal(
        (await answerOf('natural-voices/card', { ...hosted('http://127.0.0.1:9'), ...wrong })).status,
        400,
      );
  });

  it('stop the request to the service when the browser goes', async () => {
    const events = new EventEmitter();
    const arrived = once(events, 'request');
    const never: Script = ({ gone }) => {
      events.emit('request', gone);
      return new Promise(() => undefined);
    };
    await withServer(never, async ({ url }) => {
      const leaving = new AbortController();
      const asked = fetch(`${nodeRed().url}herald/natural-voices/card`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...hosted(url), name }),
        signal: leaving.signal,
      });
      asked.catch(() => undefined);
      const [gone]: unknown[] = await arrived;
      assert.ok(gone instanceof AbortSignal);
      leaving.abort();
      if (!gone.aborted) await once(gone, 'abort');
    });
  });
});
