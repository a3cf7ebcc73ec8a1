/**
 * Takes all pictures of the editor, light and dark: `nodes/pictures/` for the help and the README, and the flow and
 * the sidebar in `docs/images/`.
 *
 * `node scripts/screenshots.mjs` starts a temporary Node-RED 5 with the local service.
 * `node scripts/screenshots.mjs http://127.0.0.1:1880/` uses a running editor and does not change its flows.
 * `node scripts/screenshots.mjs prompts prompts-plan` takes only the pictures with these names.
 * With ImageMagick installed, the files are smaller.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';
import { nodeNames } from './build/manifest.mjs';
import { eventually, nodeBinary, npm, withNodeRed } from './other-node-red.mjs';
import { prepare, root } from './prepare.mjs';
import { openEditor } from './screenshots/editor.mjs';

/** @typedef {import('./screenshots/editor.mjs').Dialog} Dialog */

const SCHEMES = /** @type {const} */ (['light', 'dark']);
const COLOURS = 128;
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Values and actions that make the picture of a node more useful. Without an entry, the picture shows the defaults.
 * @type {Record<string, Omit<Dialog, 'node'>>}
 */
const EXAMPLES = {
  account: { set: { service: 'hosted', name: 'Our service', url: 'https://speech.example.com' } },
  'text-to-speech': { set: { voice_id: 'slt' } },
  'predict-duration': { set: { voice_id: 'slt' } },
  speaker: { set: { name: 'Kitchen', kind: 'sonos', address: '192.168.1.40' } },
  'voice-search': {
    set: { language: 'en', gender: 'female' },
    press: '.herald-preview button',
    until: '.herald-voice-row',
  },
  'clone-voice': { set: { voice_name: 'My voice' } },
  prompts: { set: { csv_file: 'prompts.csv', folder: 'prompts', output_format: 'asterisk-wav' } },
  'custom-voices': { set: { action: 'search', voice_name: 'Anna' } },
};

/** The table in the picture of a plan, with a wrong row. */
const TABLE = [
  { text: 'Welcome. Thank you for calling.', filename: 'welcome.wav' },
  { text: 'For orders, press one. For support, press two.', filename: 'menu/main.wav' },
  { text: '', filename: 'menu/hold.wav' },
  { text: 'We are closed at the moment. Please call again tomorrow.', filename: 'closed.wav' },
];

const TEST_SOUND = '5f0c9a1e.mp3';
const SONOS = {
  device: 'Sonos',
  address: '192.168.1.40',
  isOwn: false,
  http: '1.1',
  startedAt: 1_767_261_600_000,
};

/** A computer in a home network, whose test sound a speaker has fetched. */
const REACH = {
  'reach/addresses': {
    url: 'http://192.168.1.7:1880',
    problems: [],
    root: '',
    addresses: [
      { address: '192.168.1.7', network: '192.168.1.0/24', interface: 'eth0', kind: 'lan', isUsed: true },
      { address: '172.17.0.1', network: '172.17.0.0/16', interface: 'docker0', kind: 'container' },
      { address: '127.0.0.1', network: '127.0.0.0/8', interface: 'lo', kind: 'loopback' },
    ],
  },
  'reach/test': {
    url: `http://192.168.1.7:1880/herald/audio/${TEST_SOUND}`,
    name: TEST_SOUND,
    text: 'Test.',
  },
  'reach/requests': {
    version: 2,
    requests: [
      { ...SONOS, name: TEST_SOUND, method: 'HEAD', status: 200, bytes: 0, state: 'complete' },
      {
        ...SONOS,
        name: TEST_SOUND,
        method: 'GET',
        range: 'bytes=0-',
        status: 206,
        bytes: 98_300,
        state: 'complete',
      },
    ],
  },
};

/** The speakers that a search in a home network has found. */
const FOUND = {
  version: 1,
  isSearching: false,
  speakers: [
    { kind: 'computer', name: 'Built-in audio', address: 'built-in' },
    { kind: 'sonos', name: 'Kitchen', model: 'Sonos One', address: '192.168.1.40', id: 'RINCON_1' },
    { kind: 'mpd', name: 'Living room', address: '192.168.1.41' },
  ],
};

/**
 * Pictures of a part of a dialog, by file name.
 * @type {Record<string, Dialog>}
 */
const PARTS = {
  'account-test': { node: 'account', press: '#herald-test', until: '#herald-test-result[data-state=well]' },
  'text-to-speech-voices': {
    node: 'text-to-speech',
    set: { voice_id: 'slt' },
    press: '.herald-pick',
    until: '.herald-voice-row',
    part: '.form-row:has(.herald-pick), .herald-picker',
  },
  'text-to-speech-try': {
    node: 'text-to-speech',
    set: { voice_id: 'slt' },
    press: '.herald-try button',
    until: '.herald-try button[data-state=idle]',
    part: '.herald-try',
  },
  'text-to-speech-reach': {
    node: 'text-to-speech',
    set: { output: 'url', output_format: 'mp3' },
    replies: REACH,
    open: 'reach',
    press: '.herald-reach [data-action=copy]',
    until: '.herald-reach tbody tr:has(td:nth-child(4) small)',
    part: 'details:has(> .herald-reach)',
  },
  'text-to-speech-speakers': {
    node: 'text-to-speech',
    set: { voice_id: 'slt' },
    replies: { 'speakers/search': FOUND },
    press: '.form-row:has(#node-input-output) > button',
    until: '.herald-speakers li',
    part: '.form-row:has(#node-input-output), .form-row:has(.herald-speakers)',
  },
  'prompts-plan': {
    node: 'prompts',
    set: {
      rows: JSON.stringify(TABLE),
      rowsType: 'json',
      folder: 'prompts',
      output_format: 'asterisk-wav',
    },
    press: '.herald-prompts [data-action=plan]',
    until: '.herald-prompts tbody tr',
    part: '.herald-prompts',
  },
};

/** @returns {[file: string, dialog: Dialog][]} */
function dialogs() {
  const whole = Object.fromEntries(nodeNames(root).map((node) => [node, { node, ...EXAMPLES[node] }]));
  return Object.entries({ ...whole, ...PARTS });
}

const isAddress = (/** @type {string} */ argument) => argument.includes('://');
const given = process.argv.slice(2).find(isAddress);
const chosen = process.argv.slice(2).filter((argument) => !isAddress(argument));
if (given === undefined) await withTemporaryNodeRed(takeAll);
else await takeAll(given);

/**
 * Installs Node-RED in a temporary folder and runs it with the nodes of this checkout.
 * @param {(address: string) => Promise<void>} work
 */
async function withTemporaryNodeRed(work) {
  prepare();
  const folder = mkdtempSync(path.join(tmpdir(), 'herald-pictures-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const binary = nodeBinary('24', folder);
    npm(binary, folder, 'install', 'node-red@~5.0.0');
    const scope = path.join(folder, 'user/node_modules/@herald-speech');
    mkdirSync(scope, { recursive: true });
    symlinkSync(root, path.join(scope, 'node-red'), 'junction');
    await withNodeRed(binary, folder, path.join(folder, 'user'), async (/** @type {string} */ address) => {
      await eventually(`${address}/flows`);
      await work(address);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {string} address of the editor */
async function takeAll(address) {
  const executablePath = process.env['CHROMIUM'] || BROWSERS.find((file) => existsSync(file));
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
  });
  try {
    for (const scheme of SCHEMES) await takeScheme(await openEditor(browser, address, scheme), scheme);
  } finally {
    await browser.close();
  }
}

/**
 * @param {import('./screenshots/editor.mjs').Editor} editor
 * @param {typeof SCHEMES[number]} scheme
 */
async function takeScheme(editor, scheme) {
  const suffix = scheme === 'dark' ? '-dark' : '';
  const isChosen = (/** @type {string} */ name) => chosen.length === 0 || chosen.includes(name);
  if (isChosen('flow')) keep(await editor.flow(), `docs/images/flow${suffix}.png`);
  for (const [name, dialog] of dialogs().filter(([name]) => isChosen(name))) {
    keep(await editor.dialog(dialog), `nodes/pictures/${scheme}/${name}.png`);
  }
  // The picture of the sidebar changes the layout of the page, so it is the last one.
  if (isChosen('sidebar')) keep(await editor.sidebar(), `docs/images/sidebar${suffix}.png`);
  await editor.close();
}

/**
 * Writes a picture, reduced to a palette if ImageMagick is installed.
 * @param {Buffer} picture
 * @param {string} name file below the checkout
 */
function keep(picture, name) {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const palette = ['-strip', '+dither', '-colors', String(COLOURS), '-define', 'png:compression-level=9'];
  const { status, stdout } = spawnSync('convert', ['png:-', ...palette, 'png8:-'], {
    input: picture,
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) console.warn(`${name}: not reduced to a palette. Install ImageMagick for smaller files.`);
  writeFileSync(file, status === 0 ? stdout : picture);
}
