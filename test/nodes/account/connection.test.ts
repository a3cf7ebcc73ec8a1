import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { localAccount, speechNode, withFlow } from '../../support/node-red/flow.js';
import { close } from '../../support/net/fault-server.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { watchingProcesses, withServicePackage } from '../../support/service/service-package.js';
import { until } from '../../support/waiting.js';

/**
 * A service with another key after each start. It ends if its port is in use, as the local service does. Before the first
 * restart, it answers no request.
 */
const service = `
  const fs = require('node:fs');
  const valueOf = (flag) => process.argv[process.argv.indexOf(flag) + 1];
  const isFirst = !fs.existsSync(valueOf('--data') + '/started');
  fs.writeFileSync(valueOf('--data') + '/started', '');
  const key = 'key-' + process.pid;
  const server = require('node:http').createServer((request, response) => {
    if (isFirst) return fs.writeFileSync(valueOf('--data') + '/asked', '');
    response.statusCode = request.headers['x-sup-api-key'] === key ? 200 : 401;
    response.setHeader('content-type', 'application/json').end('{"balance": 7}');
  });
  server.listen(Number(valueOf('--port')), '127.0.0.1', () =>
    console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port, key })));
  process.stdin.resume();`;

describe('the connection to a local service that was killed', () => {
  const folder = useDataFolder();

  it('continues at the new address with the new key, and sends nothing to a program that took its port', () =>
    watchingProcesses((processes) =>
      withServicePackage(service, () =>
        withFlow([localAccount(), speechNode('credits')], async (flow) => {
          let foreign = 0;
          const stranger = createServer((_request, response) => {
            foreign += 1;
            response.writeHead(503).end();
          });
          flow.send('node', {});
          await until(() => existsSync(`${folder()}/asked`));
          const [first] = processes;
          assert.ok(first !== undefined);
          const ended = once(first, 'exit').then(() => stranger.listen(portIn(flow.logged()), '127.0.0.1'));
          first.kill('SIGKILL');
          await ended;
          try {
            assert.equal((await flow.out('done')).payload, 7);
            assert.equal(foreign, 0);
            assert.ok(stranger.listening);
          } finally {
            stranger.closeAllConnections();
            await close(stranger);
          }
        }),
      ),
    ));
});

function portIn(lines: readonly string[]): number {
  const [, port] = /serves at http:\/\/127\.0\.0\.1:(\d+)/.exec(lines.join()) ?? [];
  return Number(port);
}
