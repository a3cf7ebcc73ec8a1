/**
 * Makes every picture of the editor, light and dark, in one run: `nodes/pictures/` for the help and the README, and the
 * flow in `docs/images/`. `node scripts/screenshots.mjs` starts its own Node-RED 5, which is light and dark by itself,
 * with the local service; `node scripts/screenshots.mjs http://127.0.0.1:1880/` takes an editor that runs, and leaves its
 * flows as they are. ImageMagick makes the files smaller where it is there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';
import { eventually, nodeBinary, npm, withNodeRed } from './other-node-red.mjs';
import { prepare, root } from './prepare.mjs';
import { openEditor } from './screenshots/editor.mjs';

const SCHEMES = ['light', 'dark'];
const COLOURS = 128;
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The dialogs: whose, what is set in it, and what is pressed before the picture is taken. */
const DIALOGS = {
  account: {
    type: 'account',
    set: { service: 'hosted', name: 'Our service', url: 'https://speech.example.com' },
  },
  'account-test': { type: 'account', press: '#herald-test', until: '#herald-test-result[data-state=well]' },
  'text-to-speech': { type: 'text-to-speech', set: { voice_id: 'slt' } },
  'text-to-speech-voices': {
    type: 'text-to-speech',
    set: { voice_id: 'slt' },
    press: '.herald-pick',
    until: '.herald-voice-row',
    part: '.form-row:has(.herald-pick), .herald-picker',
  },
  'text-to-speech-try': {
    type: 'text-to-speech',
    set: { voice_id: 'slt' },
    press: '.herald-try button',
    until: '.herald-try button[data-state=idle]',
    part: '.herald-try',
  },
  'predict-duration': { type: 'predict-duration', set: { voice_id: 'slt' } },
  'voice-search': {
    type: 'voice-search',
    set: { language: 'en', gender: 'female' },
    press: '.herald-preview button',
    until: '.herald-voice-row',
  },
  'clone-voice': { type: 'clone-voice', set: { voice_name: 'My voice' } },
  'custom-voices': { type: 'custom-voices', set: { action: 'search', voice_name: 'Anna' } },
  credits: { type: 'credits' },
  usage: { type: 'usage' },
  listen: { type: 'listen' },
};

const [given] = process.argv.slice(2);
if (given === undefined) await withOwnNodeRed(takeAll);
else await takeAll(given);

/** Installs Node-RED in a folder that goes afterwards, and runs it with the nodes of this checkout. */
async function withOwnNodeRed(work) {
  prepare();
  const folder = mkdtempSync(path.join(tmpdir(), 'herald-pictures-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const binary = nodeBinary('24', folder);
    npm(binary, folder, 'install', 'node-red@~5.0.0');
    const scope = path.join(folder, 'user/node_modules/@herald-speech');
    mkdirSync(scope, { recursive: true });
    symlinkSync(root, path.join(scope, 'node-red'), 'junction');
    await withNodeRed(binary, folder, path.join(folder, 'user'), async (address) => {
      await eventually(`${address}/flows`);
      await work(address);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function takeAll(address) {
  const executablePath = process.env.CHROMIUM || BROWSERS.find(existsSync);
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
  });
  try {
    for (const scheme of SCHEMES) await takeScheme(await openEditor(browser, address, scheme), scheme);
  } finally {
    await browser.close();
  }
}

async function takeScheme(editor, scheme) {
  const suffix = scheme === 'dark' ? '-dark' : '';
  keep(await editor.flow(), `docs/images/flow${suffix}.png`);
  for (const [name, dialog] of Object.entries(DIALOGS)) {
    keep(await editor.dialog(dialog), `nodes/pictures/${name}${suffix}.png`);
  }
  await editor.close();
}

/** Writes a picture, with a palette where ImageMagick can make one. */
function keep(picture, name) {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const palette = ['-strip', '+dither', '-colors', String(COLOURS), '-define', 'png:compression-level=9'];
  const { status, stdout } = spawnSync('convert', ['png:-', ...palette, 'png8:-'], {
    input: picture,
    maxBuffer: 2 ** 26,
  });
  writeFileSync(file, status === 0 ? stdout : picture);
}
