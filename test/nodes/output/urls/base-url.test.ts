import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { NetworkInterfaceInfo } from 'node:os';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import { networkAddresses } from '../../../../nodes/output/urls/addresses.js';
import { type AudioPort, baseUrlOf, type PlayerAccess } from '../../../../nodes/output/urls/base-url.js';
import type { Environment } from '../../../../nodes/output/urls/environment.js';
import { say } from '../../../../nodes/runtime/messages.js';

/** An address with its prefix length, such as `192.168.1.7/24`. */
function infoOf(cidr: string): NetworkInterfaceInfo {
  const [address = ''] = cidr.split('/');
  const common = { address, netmask: '', mac: '', cidr, internal: /^(127\.|::1$)/.test(address) };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
}

const environmentOf = (
  interfaces: Record<string, string[]>,
  facts: Partial<Environment> = {},
): Environment => ({
  isContainer: false,
  isKubernetes: false,
  isWsl: false,
  ...facts,
  interfaces: Object.fromEntries(
    Object.entries({ lo: ['127.0.0.1/8', '::1/128'], ...interfaces }).map(([name, all]) => [
      name,
      all.map(infoOf),
    ]),
  ),
});

const HOME = environmentOf({ eth0: ['192.168.1.7/24', 'fd00::7/64', 'fe80::7/64'] });

const redOf = (settings: object, server?: Server): NodeAPI =>
  Object.assign(Object.create(null), { settings, server });

interface Case {
  settings?: object;
  environment?: Environment;
  base_url?: string;
  players?: PlayerAccess;
  server?: Server;
}

/** Returns the URL, its source and its problems: `!code` if certain, `code` otherwise. */
function found({ settings = {}, environment = HOME, base_url, players, server }: Case): string[] {
  const { url, from, problems } = baseUrlOf(redOf(settings, server), { base_url }, players, environment);
  return [url, from, ...problems.map(({ code, isCertain }) => (isCertain ? `!${code}` : code))];
}

const portOf = (more: Partial<AudioPort> = {}): AudioPort => ({
  port: 1881,
  host: '',
  problem: undefined,
  ready: () => Promise.resolve(),
  ...more,
});

describe('the base URL', () => {
  it('has the address in the network, the port and httpNodeRoot of Node-RED', () => {
    assert.deepEqual(found({}), ['http://192.168.1.7:1880', 'found']);
    assert.deepEqual(found({ settings: { uiPort: 1999, httpNodeRoot: '/red/' } }), [
      'http://192.168.1.7:1999/red',
      'found',
    ]);
    assert.deepEqual(found({ settings: { uiHost: '192.168.1.7', uiPort: '1890' } }), [
      'http://192.168.1.7:1890',
      'found',
    ]);
  });

  it('has the port at which the web server really listens, also in a program that embeds Node-RED', async () => {
    const server = createServer().listen(0, '0.0.0.0');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    assert.deepEqual(found({ server }), [`http://192.168.1.7:${address.port}`, 'found']);
    server.close();
    await once(server, 'close');
  });

  it('prefers the interface of the default route, then addresses in networks of players', () => {
    const several = {
      docker0: ['172.17.0.1/16'],
      tailscale0: ['100.101.1.1/32'],
      eth1: ['10.0.0.5/24'],
      wlan0: ['192.168.1.8/24'],
    };
    assert.deepEqual(found({ environment: environmentOf(several) }), ['http://10.0.0.5:1880', 'found']);
    const environment = environmentOf(several, { defaultInterface: 'wlan0' });
    assert.deepEqual(found({ environment }), ['http://192.168.1.8:1880', 'found']);
    const { docker0, tailscale0 } = several;
    assert.deepEqual(found({ environment: environmentOf({ docker0, tailscale0 }) }), [
      'http://100.101.1.1:1880',
      'found',
    ]);
    assert.deepEqual(found({ environment: environmentOf({ docker0 }) }), [
      'http://172.17.0.1:1880',
      'found',
      '!container',
    ]);
  });

  it('has brackets around an IPv6 address, and none of the addresses that need a zone', () => {
    const environment = environmentOf({ eth0: ['fe80::7/64', '2001:db8::7/64'] });
    assert.deepEqual(found({ environment }), ['http://[2001:db8::7]:1880', 'found']);
    const alone = environmentOf({ eth0: ['fe80::7/64'] });
    assert.equal(found({ environment: alone })[0], 'http://127.0.0.1:1880');
  });

  it('is the one of the node, then of the account, then of the audio port', () => {
    const port = portOf();
    const baseUrl = 'http://house.example/';
    assert.deepEqual(found({ base_url: 'http://10.1.1.1/', players: { baseUrl, port } }), [
      'http://10.1.1.1',
      'node',
    ]);
    assert.deepEqual(found({ players: { baseUrl, port } }), ['http://house.example', 'account']);
    assert.deepEqual(found({ players: { baseUrl: '', port } }), ['http://192.168.1.7:1881', 'audio-port']);
    const bound = { baseUrl: '', port: portOf({ host: 'fd00::7' }) };
    assert.deepEqual(found({ players: bound }), ['http://[fd00::7]:1881', 'audio-port']);
  });

  it('is the one of Node-RED, with a problem, if the audio port failed', () => {
    const problem = say('audio-port-in-use', { port: 1881 });
    const players = { baseUrl: '', port: portOf({ problem }) };
    assert.deepEqual(found({ players }), ['http://192.168.1.7:1880', 'found', '!port-failed']);
  });
});

describe('a problem of the base URL', () => {
  const certain = (base_url: string, more: Case = {}) => found({ base_url, ...more }).slice(2);

  it('is an address of this computer only', () => {
    for (const host of [
      '127.0.0.1',
      '127.1.2.3',
      'localhost',
      'LOCALHOST',
      'node.localhost',
      '[::1]',
      '0.0.0.0',
    ])
      assert.deepEqual(certain(`http://${host}:8080`), ['!loopback'], host);
    assert.deepEqual(certain('http://192.168.1.7:1880'), []);
    assert.deepEqual(certain('http://203.0.113.5'), []);
    assert.deepEqual(certain('https://red.house.example/herald/'), []);
    const players = { baseUrl: '', port: portOf({ host: '127.0.0.1' }) };
    assert.deepEqual(found({ players }), ['http://127.0.0.1:1881', 'audio-port', '!loopback']);
  });

  it('is uiHost with an address that the URL does not have', () => {
    const local = { settings: { uiHost: '127.0.0.1' } };
    assert.deepEqual(found(local), ['http://127.0.0.1:1880', 'found', '!ui-host']);
    assert.deepEqual(certain('http://192.168.1.7:1880', local), ['!ui-host']);
    assert.deepEqual(certain('http://192.168.1.7', local), []);
    assert.deepEqual(certain('https://red.house.example', local), []);
    const players = { baseUrl: '', port: portOf() };
    assert.deepEqual(found({ ...local, players }), ['http://192.168.1.7:1881', 'audio-port']);
  });

  it('is a computer without a network', () => {
    assert.deepEqual(found({ environment: environmentOf({}) }), [
      'http://127.0.0.1:1880',
      'found',
      '!no-network',
    ]);
    const environment = environmentOf({ eth0: ['169.254.7.7/16'] });
    assert.deepEqual(found({ environment }), ['http://169.254.7.7:1880', 'found', 'link-local']);
  });

  it('is the network of a container, of a pod or of WSL', () => {
    const bridge = { eth0: ['172.17.0.2/16'] };
    for (const facts of [{ isContainer: true }, { isWsl: true }]) {
      const environment = environmentOf(bridge, facts);
      assert.deepEqual(found({ environment }), ['http://172.17.0.2:1880', 'found', '!container']);
      assert.deepEqual(certain('http://172.17.0.2:8000', { environment }), ['container']);
      assert.deepEqual(certain('http://192.168.1.7:8000', { environment }), []);
      const players = { baseUrl: '', port: portOf() };
      assert.deepEqual(found({ environment, players }).slice(1), ['audio-port', '!container']);
    }
    const pod = environmentOf({ eth0: ['10.1.2.3/32'] }, { isKubernetes: true });
    assert.deepEqual(found({ environment: pod }).slice(1), ['found', '!container']);
    // Networks of hosts and of containers with their own address in the network.
    assert.deepEqual(found({ environment: environmentOf(bridge) }).slice(1), ['found']);
    const hostNetwork = environmentOf({ ...bridge, docker0: ['172.18.0.1/16'] }, { isContainer: true });
    assert.deepEqual(found({ environment: hostNetwork }), ['http://172.17.0.2:1880', 'found']);
    const macvlan = environmentOf({ eth0: ['192.168.1.9/24'] }, { isContainer: true });
    assert.deepEqual(found({ environment: macvlan }), ['http://192.168.1.9:1880', 'found']);
    for (const name of ['host.docker.internal', 'supervisor', 'red.default.svc.cluster.local'])
      assert.deepEqual(certain(`http://${name}:1880`), ['!container'], name);
  });

  it('is the assumed port of the Home Assistant add-on, or its login', () => {
    const settings = { uiHost: '127.0.0.1', uiPort: 46_836, httpNodeRoot: '/endpoint' };
    const addOn = (isSecure: boolean) => environmentOf({ eth0: ['192.168.1.7/24'] }, { addOn: { isSecure } });
    assert.deepEqual(found({ settings, environment: addOn(false) }), [
      'http://192.168.1.7:1880/endpoint',
      'found',
      'add-on',
    ]);
    assert.equal(found({ settings, environment: addOn(true) })[0], 'https://192.168.1.7:1880/endpoint');
    assert.deepEqual(certain('http://192.168.1.7:8123/api/hassio_ingress/abc', { settings }), ['!add-on']);
    const players = { baseUrl: '', port: portOf() };
    assert.deepEqual(found({ settings, environment: addOn(true), players }), [
      'http://192.168.1.7:1881',
      'audio-port',
    ]);
  });

  it('is the login of httpNodeAuth, which the audio port does not ask for', () => {
    const settings = { httpNodeAuth: { user: 'anna', pass: 'hash' } };
    assert.deepEqual(found({ settings }), ['http://192.168.1.7:1880', 'found', '!login']);
    assert.deepEqual(certain('http://192.168.1.7:1880', { settings }), ['!login']);
    assert.deepEqual(certain('https://proxy.house.example', { settings }), ['login']);
    const players = { baseUrl: '', port: portOf() };
    assert.deepEqual(certain('http://house.example:1881', { settings, players }), []);
    assert.deepEqual(certain('http://anna:secret@192.168.1.7:1880', { settings }), []);
    const port = portOf();
    assert.deepEqual(found({ settings, players: { baseUrl: '', port } }).slice(1), ['audio-port']);
    const published = { baseUrl: 'http://10.0.0.1:1881', port };
    assert.deepEqual(found({ settings, players: published }), ['http://10.0.0.1:1881', 'account']);
  });

  it('is a name that only some players resolve', () => {
    for (const host of ['kitchen', 'red.local', 'red.lan'])
      assert.deepEqual(certain(`http://${host}:1880`), ['unknown-host'], host);
  });

  it('is a certificate that players refuse, and the wrong scheme', () => {
    const cert = readFileSync(path.resolve(__dirname, '../../../support/net/self-signed.pem'), 'utf8');
    const settings = { https: { key: cert, cert } };
    assert.deepEqual(found({ settings }), ['https://192.168.1.7:1880', 'found', 'self-signed']);
    assert.deepEqual(found({ settings: { https: () => ({}) } }).slice(2), ['self-signed']);
    assert.deepEqual(certain('http://192.168.1.7:1880', { settings }), ['!scheme']);
    assert.deepEqual(certain('https://192.168.1.7:1880'), ['!scheme']);
  });

  it('is a path that differs from httpNodeRoot', () => {
    const settings = { httpNodeRoot: '/red/' };
    assert.deepEqual(certain('http://192.168.1.7:1880', { settings }), ['!root']);
    assert.deepEqual(certain('http://192.168.1.7:1880/red', { settings }), []);
    assert.deepEqual(certain('http://192.168.1.7:1880/red'), ['!root']);
    assert.deepEqual(certain('http://192.168.1.7/red'), []);
  });

  it('is a port of this computer at which neither Node-RED nor the audio port listens', () => {
    assert.deepEqual(certain('http://192.168.1.7:1234'), ['port']);
    assert.deepEqual(certain('http://192.168.1.7:1881'), ['port']);
    const players = { baseUrl: '', port: portOf() };
    assert.deepEqual(certain('http://192.168.1.7:1881', { players }), []);
    // The ports of proxies, and another computer.
    for (const url of ['http://192.168.1.7', 'https://192.168.1.7', 'http://192.168.1.8:1234'])
      assert.deepEqual(certain(url), [], url);
  });

  it('is the failed audio port alone, which would ask for no login', () => {
    const settings = { httpNodeAuth: { user: 'anna', pass: 'hash' } };
    const players = { baseUrl: '', port: portOf({ problem: say('audio-port-in-use', { port: 1881 }) }) };
    assert.deepEqual(found({ settings, players }).slice(1), ['found', '!port-failed']);
  });

  it('names the base URL with the right path', () => {
    const wrong = { base_url: 'http://192.168.1.7:1880/foo' };
    const { problems } = baseUrlOf(redOf({}), wrong, undefined, HOME);
    assert.match(problems[0]?.text.english ?? '', /: enter http:\/\/192\.168\.1\.7:1880 under “Base URL”$/);
  });

  it('names the URL, the cause and the fix', () => {
    const { problems } = baseUrlOf(redOf({}), { base_url: 'http://localhost:1880' }, undefined, HOME);
    assert.equal(
      problems[0]?.text.english,
      'http://localhost:1880: only this computer reaches this address: enter the address of this computer in the network under “Base URL”',
    );
  });
});

describe('the addresses of this computer', () => {
  it('have their interface, network and kind, the best one for players first', () => {
    const environment = environmentOf({
      'br-0123456789ab': ['172.20.0.1/16'],
      wg0: ['10.9.0.1/24'],
      eth0: ['192.168.37.77/20', 'fe80::1/64', 'fd12::1/64'],
    });
    const listed = networkAddresses(environment).map(
      ({ address, network, kind, interface: name }) => `${name} ${address} ${network} ${kind}`,
    );
    assert.deepEqual(listed, [
      'eth0 192.168.37.77 192.168.32.0/20 lan',
      'eth0 fd12::1 fd12::1/64 lan',
      'wg0 10.9.0.1 10.9.0.0/24 vpn',
      'br-0123456789ab 172.20.0.1 172.20.0.0/16 container',
      'eth0 fe80::1 fe80::1/64 link-local',
      'lo 127.0.0.1 127.0.0.0/8 loopback',
      'lo ::1 ::1/128 loopback',
    ]);
  });
});
