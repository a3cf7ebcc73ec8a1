import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { SpeechError, z } from '@herald-speech/client';
import { cacheFolder, cacheOptions, localServiceIdentity } from '../../../nodes/account/cache.js';
import type { NodeAPI } from 'node-red';

const home = (...names: string[]) => path.join(os.homedir(), ...names);

describe('the folder of the cache', () => {
  it("is in the platform's folder for caches", () => {
    assert.equal(cacheFolder({}, 'linux'), home('.cache', 'herald'));
    assert.equal(cacheFolder({}, 'darwin'), home('Library', 'Caches', 'herald'));
    assert.equal(cacheFolder({}, 'win32'), home('AppData', 'Local', 'herald'));
    assert.equal(cacheFolder({ LOCALAPPDATA: '/local' }, 'win32'), path.join('/local', 'herald'));
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/caches' }, 'linux'), path.join('/caches', 'herald'));
  });

  it('ignores a relative XDG_CACHE_HOME', () => {
    assert.equal(cacheFolder({ XDG_CACHE_HOME: 'caches' }, 'linux'), home('.cache', 'herald'));
  });

  it('is HERALD_CACHE if the variable is set and not blank', () => {
    assert.equal(cacheFolder({ HERALD_CACHE: '/data/audio' }), path.resolve('/data/audio'));
    assert.equal(cacheFolder({ HERALD_CACHE: ' ' }, 'linux'), home('.cache', 'herald'));
  });

  it('does not exist if HERALD_CACHE is "off"', () => {
    assert.equal(cacheFolder({ HERALD_CACHE: 'off' }), undefined);
  });
});

describe('the cache of an account', () => {
  const log = { warn: () => undefined };
  const RED = { log, _: (id: string) => id } as unknown as NodeAPI;
  const former = process.env['HERALD_CACHE'];
  beforeEach(() => {
    process.env['HERALD_CACHE'] = '/data/audio';
  });
  afterEach(() => {
    process.env['HERALD_CACHE'] = former;
  });

  it('has the size of the account in megabytes, or the default of the client', () => {
    const sizes = ['', undefined, '100', 2].map((cacheSize) => cacheOptions(RED, { cacheSize }, 'id'));
    assert.deepEqual(
      sizes.map((options) => options?.maxBytes),
      [undefined, undefined, 100_000_000, 2_000_000],
    );
    for (const cacheSize of ['many', 0, -1, 2e9])
      assert.throws(
        () => cacheOptions(RED, { cacheSize }, 'id'),
        (error) => error instanceof SpeechError && error.code === 'not-configured',
      );
  });

  it('is off if the account or HERALD_CACHE turns it off', () => {
    assert.equal(cacheOptions(RED, { cache: false }, 'id'), undefined);
    assert.equal(cacheOptions(RED, { cache: 'false' }, 'id'), undefined);
    process.env['HERALD_CACHE'] = 'off';
    assert.equal(cacheOptions(RED, {}, 'id'), undefined);
  });

  it('names the local service by version, sound, data folder and engines, not by its port', () => {
    const identity = localServiceIdentity('/data/one');
    assert.match(identity, /^\["local","\d+\.\d+\.\d+",\d+,"\/data\/one"/);
    assert.notEqual(localServiceIdentity('/data/two'), identity);
    assert.equal(localServiceIdentity('/data/one'), identity);
  });

  it('uses no audio of the local service from before all voices had one loudness', () => {
    const [, version] = z.array(z.unknown()).parse(JSON.parse(localServiceIdentity('/data/one')));
    const former = JSON.stringify(['local', version, '/data/one', '', '']);
    assert.notEqual(localServiceIdentity('/data/one'), former);
  });
});
