import assert from 'node:assert/strict';
import { startMessage } from '../../../service/cli/start-message.js';
import { startTestService, type TestService } from '../../support/service/service.js';

describe('the message at the start of the service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());
  const message = (url: string, isTerminal: boolean) =>
    startMessage({ ...service, url }, '/data', { isTerminal });

  it('shows the key and a link that signs in on a terminal', () => {
    const [first, key, link = ''] = message(service.url, true);
    assert.equal(first, `Herald service: ${service.url}`);
    assert.equal(key, `API key: ${service.key} (saved in /data/key)`);
    assert.match(
      link,
      /^Console: http:\S+\/console#token=\S+ \(works once; new link: herald-service console --data/,
    );
  });

  it('shows the place of the key and the command for a link in a file or a journal', () => {
    assert.deepEqual(message(service.url, false), [
      `Herald service: ${service.url}`,
      'API key: saved in /data/key',
      `Console: ${service.url}/console (link that signs in: herald-service console --data /data)`,
    ]);
  });

  it('promises no link that works once if the service listens on another address', () => {
    const [, , line] = message('http://192.0.2.2:7800', true);
    assert.equal(line, 'Console: http://192.0.2.2:7800/console (sign in with an API key)');
  });
});
