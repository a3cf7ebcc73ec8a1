import assert from 'node:assert/strict';
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { Bonjour } from 'bonjour-service';
import type { LogEntry } from '../../../service/kit/log.js';
import { announceByZeroconf } from '../../../service/wyoming/announce.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { type NetworkNamespace, networkNamespace } from '../../support/net/network-namespace.js';

const MODULE = path.join(__dirname, '../../../service/dist/wyoming/announce.js');

/** Announces in the namespace, prints the log, and ends when its standard input ends. Then prints "ended". */
function program(host: string): string {
  const options = `{ name: 'Test.speech', host: '${host}', port: 10200, log: (entry) => console.log(JSON.stringify(entry)) }`;
  return `const announcement = require('${MODULE}').announceByZeroconf(${options});
    process.stdin.resume().once('end', () => announcement.end().then(() => console.log('ended')));`;
}

// Needs root, as CI has: the test makes a network, so that it announces nothing in another one.
describeWith(['ip'], 'the announcement of Wyoming', () => {
  let network: NetworkNamespace;
  before(() => {
    network = networkNamespace();
  });
  after(() => network?.close());

  const start = (code: string): ChildProcess =>
    network.start(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });

  for (const host of ['0.0.0.0', 'inside']) {
    it(`shows the service with its address and port, listening on ${host}, until it ends`, async () => {
      const child = start(program(host === 'inside' ? network.inside : host));
      const options: object = { interface: network.host, bind: '0.0.0.0' };
      const bonjour = new Bonjour(options, (error: unknown) => assert.fail(String(error)));
      const browser = bonjour.find({ type: 'wyoming' });
      const [service] = await once(browser, 'up');
      const { name, port, addresses } = service;
      assert.deepEqual([name, port], ['Test-speech', 10_200]);
      assert.ok(addresses.includes(network.inside), String(addresses));
      const down = once(browser, 'down');
      child.stdin?.end();
      assert.equal((await down)[0].name, name);
      await once(child, 'exit');
      browser.stop();
      await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
    });
  }

  const failures: ReadonlyArray<[string, string, RegExp]> = [
    ['an address that no interface has', program('192.0.2.1'), /^ended$/],
    [
      'a port of zeroconf in use',
      `require('dgram').createSocket('udp4').bind(5353, () => { ${program('0.0.0.0')} }).unref()`,
      /EADDRINUSE/,
    ],
  ];
  for (const [title, code, expected] of failures) {
    it(`never ends the service, with ${title}`, async () => {
      const child = start(code);
      assert(child.stdout && child.stdin);
      const lines: string[] = [];
      createInterface(child.stdout).on('line', (line) => lines.push(line));
      child.stdin.end();
      assert.deepEqual([...(await once(child, 'close')), lines.at(-1)], [0, null, 'ended']);
      assert.match(lines[0] ?? '', expected);
    });
  }

  it('is missing for a loopback address, which other computers cannot reach', async () => {
    const log: LogEntry[] = [];
    for (const host of ['127.0.0.1', '::1', 'localhost']) {
      await announceByZeroconf({ name: 'x', host, port: 10_200, log: (entry) => log.push(entry) }).end();
    }
    assert.equal(log.length, 3);
    assert.match(String(log[0]?.['error']), /127\.0\.0\.1 cannot be reached .* --wyoming 0\.0\.0\.0:10200/);
  });
});
