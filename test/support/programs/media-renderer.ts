import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkNamespace } from '../net/network-namespace.js';
import { fromProgram } from '../spawned.js';

const AV_TRANSPORT = 'urn:schemas-upnp-org:service:AVTransport:1';
/** A busy computer may need seconds to start a process or to play a sound. */
const PATIENCE_MS = 40_000;
const POLL_MS = 20;
/** No connection outlives its renderer: the next one has the same address. */
const ALONE = { connection: 'close' };

/** The DLNA renderer of Debian. It decodes as fast as it can, and writes the audio to a file in place of a loudspeaker. */
export interface MediaRenderer {
  /** Its name in the network. */
  readonly name: string;
  /** The URL of its description. */
  readonly location: string;
  /** Plays a URL as a control point does, and returns the played audio as WAV. */
  play(url: string): Promise<Buffer>;
  /** Runs an action of its playback, and returns the reply. */
  act(action: string, fields?: string): Promise<string>;
  /** Runs an action of its playback, and returns a field of the reply. */
  ask(action: string, field: string): Promise<string>;
  /** Starts to play a URL. */
  start(url: string): Promise<void>;
  /** Resolves with the played audio when the renderer has stopped. */
  played(): Promise<Buffer>;
}

/**
 * Runs `work` with gmediarender in a network, because it refuses loopback interfaces.
 * @param options with `inRealTime`, the renderer takes the time of the sound, and keeps nothing
 * @throws Error if the Debian package `gmediarender` or a GStreamer plugin is missing
 */
export async function withMediaRenderer<Result>(
  network: NetworkNamespace,
  work: (renderer: MediaRenderer) => Promise<Result>,
  name = 'Test renderer',
  { inRealTime = false } = {},
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-renderer-'));
  const file = path.join(folder, 'played.wav');
  const sink = inRealTime
    ? 'fakesink sync=true'
    : `audioconvert ! audioresample ! audio/x-raw,rate=48000,channels=1,format=S16LE ! wavenc ! filesink location=${file}`;
  const args = ['--interface-name', network.interface, '--port', '49494', '--friendly-name', name];
  const child = network.start('gmediarender', [...args, '--gstout-audiopipe', sink], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const location = `http://${network.inside}:49494/description.xml`;
  try {
    await ready(child, child.stderr ?? assert.fail('no output'));
    const control = `http://${network.inside}:49494/upnp/control/rendertransport1`;
    const act = (action: string, fields = '') => invoke(control, action, fields);
    const start = async (url: string) => {
      await act(
        'SetAVTransportURI',
        `<CurrentURI>${url}</CurrentURI><CurrentURIMetaData></CurrentURIMetaData>`,
      );
      await act('Play', '<Speed>1</Speed>');
    };
    const played = async () => {
      await stopped(act);
      return readFile(file);
    };
    const play = async (url: string) => {
      await start(url);
      return played();
    };
    const ask = async (action: string, field: string) =>
      new RegExp(`<${field}>(.*)</${field}>`).exec(await act(action))?.[1] ?? '';
    return await work({ name, location, act, ask, start, played, play });
  } finally {
    // A renderer that hangs ignores any other signal.
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves when the renderer says that it takes actions: before that its port is open, and an action makes some versions crash. */
async function ready(child: ChildProcess, output: Readable): Promise<void> {
  const isReady = new Promise<boolean>((resolve) => {
    createInterface(output).on('line', (line) => {
      if (line.startsWith('Ready for rendering')) resolve(true);
    });
  });
  const hasEnded = once(child, 'exit').then(() => false);
  const isLate = sleep(PATIENCE_MS, false, { ref: false });
  if (!(await fromProgram(child, Promise.race([isReady, hasEnded, isLate]))))
    throw new Error('gmediarender did not start: install gmediarender and gstreamer1.0-plugins-good.');
}

async function stopped(act: (action: string) => Promise<string>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const state = /<CurrentTransportState>(\w+)</.exec(await act('GetTransportInfo'))?.[1];
    if (state === 'STOPPED') return;
    assert.ok(performance.now() < deadline, `the renderer is ${state}`);
    await sleep(POLL_MS);
  }
}

/** Invokes an action of the renderer (UPnP AV Transport 1.0) and returns the reply. */
async function invoke(control: string, action: string, fields: string): Promise<string> {
  const body = `<?xml version="1.0"?>
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">
<s:Body><u:${action} xmlns:u="${AV_TRANSPORT}"><InstanceID>0</InstanceID>${fields}</u:${action}></s:Body></s:Envelope>`;
  const headers = {
    ...ALONE,
    'content-type': 'text/xml; charset="utf-8"',
    soapaction: `"${AV_TRANSPORT}#${action}"`,
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const reply = await fetch(control, { method: 'POST', headers, body, signal });
  const text = await reply.text();
  assert.equal(reply.status, 200, `${action}: ${text}`);
  return text;
}
