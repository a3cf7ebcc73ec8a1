import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { computer } from '../../../../speakers/computer/computer.js';
import { dlna } from '../../../../speakers/dlna/dlna.js';
import { mopidy } from '../../../../speakers/mopidy/mopidy.js';
import { mpd } from '../../../../speakers/mpd/mpd.js';
import { snapcast } from '../../../../speakers/snapcast/snapcast.js';
import { SnapcastControl } from '../../../../speakers/snapcast/rpc.js';
import { statusIn } from '../../../../speakers/snapcast/status.js';
import { type NetworkNamespace, networkNamespace } from '../../../support/net/network-namespace.js';
import { spawned } from '../../../support/spawned.js';
import { until } from '../../../support/waiting.js';
import { ended, type Part, ready } from './part.js';

/** Makes a part with a separate folder. */
type Make = (network: NetworkNamespace, folder: string) => Promise<Part>;

/** The format of speech. */
const MONO = { sampleRate: 24_000, channels: 1 } as const;
/** How often a renderer is started, and the milliseconds in which it must answer. */
const [TRIES, START_MS] = [10, 5000];
const fileIn = (file: string) => () => readFile(file).catch(() => Buffer.alloc(0));

/** A program in the network namespace, whose cable can be cut. */
function inNetwork(
  network: NetworkNamespace,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Pick<Part, 'host' | 'cutBy' | 'start' | 'kill' | 'cut' | 'mend'> {
  let child: ChildProcess | undefined;
  return {
    host: network.host,
    cutBy: 'link down',
    start: async () => {
      child = network.start(command, args, { stdio: 'ignore', env: { ...process.env, ...env } });
    },
    kill: () => ended(child),
    cut: network.cut,
    mend: network.mend,
  };
}

const makeMpd: Make = async (network, folder) => {
  const [fifo, file, config] = ['fifo', 'heard', 'mpd.conf'].map((name) => path.join(folder, name));
  execFileSync('mkfifo', [fifo ?? '']);
  // The reader also opens the FIFO for writing: it does not end with the player. MPD deletes samples that it has not read in time.
  const reader = ['-n', '-15', 'sh', '-c', `exec cat <>${fifo} >>${file}`];
  const reading = spawned(spawn('nice', reader, { stdio: 'ignore' }));
  process.once('exit', () => reading.kill());
  await writeFile(
    config ?? '',
    `music_directory "${folder}"
db_file "${folder}/db"
bind_to_address "${network.inside}"
port "6600"
zeroconf_enabled "no"
audio_output {
  type "fifo"
  name "fifo"
  path "${fifo}"
  format "24000:16:1"
}
`,
  );
  return {
    ...inNetwork(network, 'mpd', ['--no-daemon', config ?? '']),
    kind: mpd,
    place: { address: network.inside },
    format: MONO,
    buffer: 0,
    missed: 0,
    heard: fileIn(file ?? ''),
  };
};

const gstreamerTo = (file: string) =>
  `audioconvert ! audioresample ! audio/x-raw,rate=24000,channels=1,format=S16LE ! filesink sync=true append=true buffer-mode=2 location=${file}`;

const makeMopidy: Make = async (network, folder) => {
  const [file, config] = [path.join(folder, 'heard'), path.join(folder, 'mopidy.conf')];
  await writeFile(
    config,
    `[core]
cache_dir = ${folder}/cache
config_dir = ${folder}/config
data_dir = ${folder}/data
[audio]
output = ${gstreamerTo(file)}
[http]
enabled = true
hostname = ${network.inside}
port = 6680
zeroconf =
[stream]
enabled = true
protocols = http
[file]
enabled = false
[m3u]
enabled = false
`,
  );
  return {
    ...inNetwork(network, 'mopidy', ['--config', config], { HOME: folder }),
    kind: mopidy,
    place: { address: network.inside },
    format: MONO,
    buffer: 0,
    missed: 0,
    heard: fileIn(file),
  };
};

const makeRenderer: Make = async (network, folder) => {
  const file = path.join(folder, 'heard');
  // The renderer cannot have its port again while connections of the killed one are remembered.
  let port = 49_494;
  const start = () => {
    port += 1;
    const names = ['--interface-name', network.interface, '--port', String(port), '--friendly-name', 'Test'];
    return inNetwork(network, 'gmediarender', [...names, '--gstout-audiopipe', gstreamerTo(file)]);
  };
  let renderer = start();
  const answers = () =>
    fetch(`http://${network.inside}:${port}/description.xml`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  /** A renderer that starts while the network remembers the killed one can end at once, or take another port. */
  const startAgain = async () => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      await renderer.start();
      const late = performance.now() + START_MS;
      while (performance.now() < late) {
        if (await answers()) return;
        await sleep(50);
      }
      await renderer.kill();
      renderer = start();
    }
    throw new Error(`gmediarender did not start ${TRIES} times`);
  };
  return {
    ...renderer,
    kind: dlna,
    get place() {
      return { address: `http://${network.inside}:${port}/description.xml` };
    },
    start: () => {
      renderer = start();
      return startAgain();
    },
    kill: () => renderer.kill(),
    format: MONO,
    buffer: 0,
    missed: 0,
    heard: fileIn(file),
  };
};

const makeSnapcast: Make = async (network, folder) => {
  const [file, config] = [path.join(folder, 'heard'), path.join(folder, 'snapserver.conf')];
  const at = `bind_to_address = ${network.inside}`;
  await writeFile(
    config,
    `[server]
datadir = ${folder}
[http]
enabled = false
[tcp]
${at}
port = 1705
[stream]
${at}
port = 1704
source = tcp://${network.inside}:4953?name=Announcements&mode=server
codec = pcm
`,
  );
  const server = inNetwork(network, 'snapserver', ['--config', config], { HOME: folder });
  const player = ['--instance', String(process.pid), '--player', `file:filename=${file},mode=a`];
  const client = inNetwork(network, 'snapclient', ['--host', network.inside, ...player], { HOME: folder });
  let kills = 0;
  return {
    ...server,
    kind: snapcast,
    place: { address: network.inside },
    format: { sampleRate: 48_000, channels: 2 },
    buffer: 1,
    missed: 0,
    heard: fileIn(file),
    async start() {
      await server.kill();
      await server.start();
      await client.kill();
      await client.start();
      await until(() => isConnected(network.inside).catch(() => false));
    },
    // In turn the player in the room and the server.
    kill: () => ((kills += 1) % 2 === 0 ? client : server).kill(),
  };
};

async function isConnected(host: string): Promise<boolean> {
  const control = await SnapcastControl.open(host, 1705, AbortSignal.timeout(1000));
  try {
    const { groups } = statusIn(await control.ask('Server.GetStatus'));
    return groups.some(({ clients }) => clients.some((client) => client.isConnected));
  } finally {
    control.close();
  }
}

const makeComputer: Make = async (_network, folder) => {
  const socket = path.join(folder, 'native');
  const file = path.join(folder, 'heard');
  const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, PULSE_SERVER: `unix:${socket}` };
  process.env['PULSE_SERVER'] = env.PULSE_SERVER;
  const modules = [
    'module-null-sink sink_name=room format=s16le rate=44100 channels=1',
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
  ].flatMap((module) => ['-L', module]);
  let server: ChildProcess | undefined;
  let recorder: ChildProcess | undefined;
  return {
    kind: computer,
    place: { address: '' },
    host: '127.0.0.1',
    format: { sampleRate: 44_100, channels: 1 },
    buffer: 0,
    // The monitor of a null sink begins with some milliseconds of the silence that the sink had prepared.
    missed: 0.05,
    cutBy: 'SIGSTOP',
    heard: fileIn(file),
    async start() {
      server = spawned(
        spawn('pulseaudio', ['-n', '--daemonize=no', '--exit-idle-time=-1', ...modules], {
          env,
          stdio: 'ignore',
        }),
      );
      await until(() => existsSync(socket));
      const args = [
        '--raw',
        '--format=s16le',
        '--rate=44100',
        '--channels=1',
        '--device=room.monitor',
        '--latency-msec=20',
      ];
      const before = (await fileIn(file)()).length;
      recorder = spawned(spawn('parec', args, { env, stdio: ['ignore', openSync(file, 'a'), 'ignore'] }));
      await until(async () => (await fileIn(file)()).length > before);
    },
    async kill() {
      await ended(server);
      await ended(recorder);
      await rm(socket, { force: true });
    },
    cut: () => void server?.kill('SIGSTOP'),
    mend: () => void server?.kill('SIGCONT'),
  };
};

export const parts = {
  computer: makeComputer,
  mpd: makeMpd,
  mopidy: makeMopidy,
  dlna: makeRenderer,
  snapcast: makeSnapcast,
} as const satisfies Record<string, Make>;

type PartName = keyof typeof parts;

export const isPart = (name: string | undefined): name is PartName => name !== undefined && name in parts;

/** Runs `work` with a part that takes announcements. */
export async function withPart(name: PartName, work: (part: Part) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-endurance-'));
  const network = networkNamespace();
  const part = await parts[name](network, folder);
  try {
    await part.start();
    await ready(part);
    await work(part);
  } finally {
    // Some parts consist of two programs, which are killed in turn.
    await part.kill();
    await part.kill();
    network.close();
    await rm(folder, { recursive: true, force: true });
  }
}
