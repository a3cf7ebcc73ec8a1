/** Checks the address of a speaker with the rule of its kind (`speakers/`). */
import { isEnvironmentVariable, isReadableHost, MAX_PORT } from '../lib/typed-text.js';

/** The kind whose blank address means the default sound card. */
export const SOUND_CARD = 'computer';

/** Keys of the localized texts of a speaker. */
type AddressProblem = 'address.missing' | 'address.wrong' | 'address.port' | 'address.spaces';

/** A host name, without the characters that separate the parts of a URL. */
const NAME = /^[^\s/?#@:[\]\\]+$/;
/** A host, perhaps in brackets, and a port. */
const SOCKET = /^\[?(.*?)\]?(?::(\d+))?$/;
/** A host of a web server. The runtime appends the port of the kind: no colon ends the host, and a path needs a port before it. */
const WEB_HOST = /^[^/?#\\]*[^/?#\\:](?::\d+\/[^?#\\]*)?$/;
/** The port of an address of any kind. */
const PORT = /^(?:https?:\/\/)?[^/]*:(\d+)(?:\/|$)/i;
const SCHEME = /^[a-z][\w+.-]*:\/\//i;

/** Returns the key of the problem of an address. Only a sound card needs none. */
export function addressFault(kind: string, typed: string): AddressProblem | undefined {
  const address = typed.trim();
  if (address === '') return kind === SOUND_CARD ? undefined : 'address.missing';
  if (isEnvironmentVariable(address)) return undefined;
  if (kind === SOUND_CARD) return /\s/.test(address) ? 'address.spaces' : undefined;
  if (RULES[kind]?.(address) !== false) return undefined;
  const [, port = '1'] = PORT.exec(address) ?? [];
  return isPort(port) ? 'address.wrong' : 'address.port';
}

const isPort = (port: string): boolean => Number(port) > 0 && Number(port) <= MAX_PORT;

/** The rules of the kinds. An address of another kind may be any text. */
const RULES: Readonly<Record<string, (address: string) => boolean>> = {
  cast: (address) => isSocket(SOCKET.exec(address)),
  mpd: (address) => isSocket(SOCKET.exec(address)),
  snapcast: (address) => isSocket(SOCKET.exec(address.split('/', 1).join(''))),
  mopidy: isWebHost,
  dlna: (address) => (address.startsWith('http:') ? isUrl(address) : isHost(address)),
  sonos: (address) => (address.startsWith('http:') ? isUrl(address) : isWebHost(address)),
  'home-assistant': (address) => {
    const whole = address.replace(/^supervisor(?=\/)/, 'http://supervisor/core');
    const [, base = ''] = /^(https?:\/\/.+)\/media_player\.\w+$/.exec(whole) ?? [];
    return isUrl(base);
  },
};

/** Whether the host and the port of an address can have a connection. */
function isSocket(found: RegExpExecArray | null): boolean {
  const [, host = '', port = '1'] = found ?? [];
  return (NAME.test(host) || isIpv6(host)) && isPort(port);
}

/** Whether a host is an IPv6 address, perhaps with the name of a network device: `fe80::1%eth0`. */
const isIpv6 = (host: string): boolean =>
  host.includes(':') && URL.canParse(`http://[${host.replace(/%[\w.-]+$/, '')}]`);

function isWebHost(address: string): boolean {
  return WEB_HOST.test(address) && isUrl(`http://${address}`);
}

/** Whether the runtime can look up the host of a DLNA renderer. It uses only host and port, and looks up IPv4 addresses. */
function isHost(address: string): boolean {
  if (SCHEME.test(address) || !URL.canParse(`http://${address}`)) return false;
  const { hostname } = new URL(`http://${address}`);
  return isReadableHost(hostname) && !hostname.startsWith('[');
}

/** Whether the runtime can send requests to a URL. It refuses a URL with a password. */
function isUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, username, password } = new URL(url);
  return isReadableHost(hostname) && username === '' && password === '';
}
