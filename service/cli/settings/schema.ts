import { z } from 'zod';
import { logLevels } from '../../kit/log.js';
import { LOCAL_ACCOUNT, serviceDefaults } from '../../service.js';
import { parseListenAddress } from './listen-address.js';
import { synthesisDefaults } from '../../voices/workers/speech.js';

const PORT = 'expected an integer from 0 to 65535';
const MAX_MILLISECONDS = 3_600_000;
const TIME = `expected milliseconds, an integer from 1 to ${MAX_MILLISECONDS}`;

const port = z.int(PORT).min(0, PORT).max(65_535, PORT);
const text = z.string('expected a text').min(1, 'expected a text that is not empty');
const milliseconds = z.int(TIME).min(1, TIME).max(MAX_MILLISECONDS, TIME);
const DELAY = `expected milliseconds, an integer from 0 to ${MAX_MILLISECONDS}`;
const delay = z.int(DELAY).min(0, DELAY).max(MAX_MILLISECONDS, DELAY);
const PLACE = 'expected a port from 0 to 65535, or an address and a port such as 0.0.0.0:10200';
const place = z.union([z.int(), text], PLACE).transform(String).refine(isPlace, PLACE);
const toggle = z.preprocess(switched, z.boolean('expected on or off'));
const MAX_NAME_BYTES = 63;
const NAME = `expected on, off, or a name of at most ${MAX_NAME_BYTES} bytes`;
const nameOrSwitch = z.preprocess(switchName, z.string(NAME).min(1, NAME).refine(isShort, NAME));
const folderOrUrl = text.refine(isFolderOrUrl, 'expected a folder, or a URL with https, http or file');

/** The settings in the settings file. */
export const settingsFile = z.strictObject({
  port: port.optional(),
  host: text.optional(),
  data: text.optional(),
  engines: z.array(text, 'expected a list').optional(),
  voice: z.array(text, 'expected a list').optional(),
  voices: text.optional(),
  voicesUrl: folderOrUrl.optional(),
  logLevel: z.enum(logLevels, `expected one of ${logLevels.join(', ')}`).optional(),
  speechTimeout: milliseconds.optional(),
  idleTimeout: milliseconds.optional(),
  warmUp: toggle.optional(),
  simpleVoiceAfter: delay.optional(),
  requestTimeout: milliseconds.optional(),
  grace: milliseconds.optional(),
  wyoming: place.optional(),
  wyomingAccount: text.optional(),
  wyomingAnnounce: nameOrSwitch.optional(),
  metrics: toggle.optional(),
  mark: toggle.optional(),
  emoji: toggle.optional(),
});

/** Returns whether a word turns a setting on or off. */
export function isSwitchWord(word: string): boolean {
  return typeof switched(word) === 'boolean';
}

/** Converts the words for a setting that is on or off. Returns any other value unchanged. */
function switched(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const word = String(value).toLowerCase();
  if (word === 'on' || word === 'true' || word === '1') return true;
  return word === 'off' || word === 'false' || word === '0' ? false : value;
}

/** Converts a word or a boolean for on or off to `on` or `off`. Returns any other value unchanged. */
function switchName(value: unknown): unknown {
  const isOn = switched(value);
  if (typeof isOn !== 'boolean') return value;
  return isOn ? 'on' : 'off';
}

function isPlace(given: string): boolean {
  return parseListenAddress(given) !== undefined;
}

/** Returns whether DNS-SD accepts the name of a service (RFC 6763, section 4.1.1). */
function isShort(name: string): boolean {
  return Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** Returns false for a URL with another scheme. A Windows path such as `C:\\voices` has no `//`. */
function isFolderOrUrl(place: string): boolean {
  return !/^\w[\w+.-]*:\/\//.test(place) || (URL.canParse(place) && /^(https?|file):/i.test(place));
}

export type Layer = z.output<typeof settingsFile>;
export type SettingName = keyof Layer;
export type ServiceSettings = { [Key in SettingName]-?: NonNullable<Layer[Key]> };

export const defaults: ServiceSettings = {
  port: serviceDefaults.port,
  host: serviceDefaults.host,
  data: serviceDefaults.data,
  engines: [...serviceDefaults.engines],
  voice: [...serviceDefaults.voice],
  voices: '',
  voicesUrl: serviceDefaults.voicesUrl,
  logLevel: 'info',
  speechTimeout: synthesisDefaults.timeLimit,
  idleTimeout: 0,
  warmUp: synthesisDefaults.warmUp,
  simpleVoiceAfter: serviceDefaults.simpleVoiceAfter,
  requestTimeout: serviceDefaults.timeouts.request,
  grace: serviceDefaults.grace,
  wyoming: '',
  wyomingAccount: LOCAL_ACCOUNT,
  wyomingAnnounce: 'off',
  metrics: false,
  mark: true,
  emoji: synthesisDefaults.emoji,
};
