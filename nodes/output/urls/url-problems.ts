import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import { isLinkLocal, isLoopback, type NetworkAddress } from './addresses.js';
import type { AudioPort, BaseUrl, BaseUrlProblem } from './player-access.js';
import type { Environment } from './environment.js';
import { isAnyAddress, type Listener, listenerOf } from './listener.js';

/** A base URL and the facts that decide whether players reach it. */
interface Candidate {
  url: string;
  from: BaseUrl['from'];
  addresses: readonly NetworkAddress[];
  environment: Environment;
  port: AudioPort | undefined;
}

/** The parts of a base URL that the checks compare. */
interface Parts {
  /** Without brackets, in lower case. */
  host: string;
  port: number;
  url: URL;
  listener: Listener;
  /** The address of this computer that the URL names. */
  own: NetworkAddress | undefined;
  /** Whether the URL leads to Node-RED itself, not to a proxy or to the audio port. */
  isNodeRed: boolean;
}

type Check = (candidate: Candidate, parts: Parts, RED: NodeAPI) => BaseUrlProblem | undefined;

/** Returns the problems of a base URL. A URL that cannot be parsed has none: the node rejects it. */
export function urlProblems(RED: NodeAPI, candidate: Candidate): BaseUrlProblem[] {
  if (!URL.canParse(candidate.url)) return [];
  const parts = partsOf(RED, candidate);
  return checks.map((check) => check(candidate, parts, RED)).filter((problem) => problem !== undefined);
}

function partsOf(RED: NodeAPI, { url: text, from, addresses }: Candidate): Parts {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const listener = listenerOf(RED);
  const own = addresses.find(({ address }) => address === host);
  const name = hostname().toLowerCase();
  const isThisComputer = own !== undefined || isLocalName(host) || [name, `${name}.local`].includes(host);
  const isNodeRed = from !== 'audio-port' && isThisComputer && port === listener.port;
  return { host, port, url, listener, own, isNodeRed };
}

const isLocalName = (host: string): boolean =>
  isLoopback(host) || isAnyAddress(host) || /^(.*\.)?localhost$/.test(host);

/** The address is one that no other device reaches. */
const loopback: Check = ({ url, from, port, addresses }, { host, listener }) => {
  if (!isLocalName(host)) return undefined;
  const isCertain = true;
  if (from === 'audio-port' && isLoopback(port?.host ?? ''))
    return { code: 'loopback', text: say('url-audio-loopback', { url }), isCertain };
  if (from === 'found' && isLocalName(listener.host) && !isAnyAddress(listener.host)) return undefined;
  const isAlone = from !== 'node' && addresses.every(({ kind }) => kind === 'loopback');
  if (isAlone) return { code: 'no-network', text: say('url-no-network'), isCertain };
  return { code: 'loopback', text: say('url-loopback', { url }), isCertain };
};

/** Node-RED listens at another address than the URL names. */
const uiHost: Check = ({ from }, { listener: { host }, own, isNodeRed }) => {
  if (!isNodeRed || isAnyAddress(host)) return undefined;
  const isLocal = isLocalName(host) && (from === 'found' || own?.kind !== 'loopback');
  const isOther = own !== undefined && own.kind !== 'loopback' && own.address !== host;
  if (!isLocal && !isOther) return undefined;
  return { code: 'ui-host', text: say('url-ui-host', { host }), isCertain: true };
};

/** Names that Docker, Podman and Home Assistant give inside of containers only. */
const CONTAINER_NAMES =
  /^(supervisor|hassio|.*\.docker\.internal|host\.containers\.internal|.*\.svc(\..*)?)$/;

const container: Check = ({ url, from, environment }, { host, own }) => {
  if (CONTAINER_NAMES.test(host))
    return { code: 'container', text: say('url-container-name', { url }), isCertain: true };
  if (own?.kind !== 'container') return undefined;
  // The user may have a reason to type such an address, such as a player in the same network of containers.
  const isCertain = from === 'found' || from === 'audio-port';
  return { code: 'container', text: say(containerText(environment), { url }), isCertain };
};

function containerText({ isContainer, isKubernetes, isWsl }: Environment) {
  if (isContainer || isKubernetes) return 'url-container';
  return isWsl ? 'url-wsl' : 'url-bridge';
}

const isIngress = ({ pathname }: URL): boolean => /\/(api\/)?hassio_ingress\//.test(`${pathname}/`);

const addOn: Check = ({ url, from, environment }, parts) => {
  if (isIngress(parts.url)) return { code: 'add-on', text: say('url-ingress', { url }), isCertain: true };
  if (environment.addOn === undefined || from !== 'found' || !isLoopback(parts.listener.host))
    return undefined;
  return { code: 'add-on', text: say('url-add-on', { url, port: parts.port }), isCertain: false };
};

/** A URL with a login passes `httpNodeAuth`. Behind a proxy, the proxy may log in. */
const login: Check = ({ from, port: audio }, { url, port, isNodeRed }, { settings }) => {
  // The problem of the audio port comes first, and its fix ends the login too.
  if (from === 'found' && audio?.problem !== undefined) return undefined;
  const isAudioPort = from === 'audio-port' || (from !== 'found' && audio?.port === port);
  if (!settings.httpNodeAuth || isAudioPort || url.username !== '') return undefined;
  return { code: 'login', text: say('url-login'), isCertain: isNodeRed || from === 'found' };
};

const linkLocal: Check = ({ url }, { host }) =>
  isLinkLocal(host)
    ? { code: 'link-local', text: say('url-link-local', { url }), isCertain: false }
    : undefined;

/** Names of the local network, which a router or multicast DNS resolves. */
const name: Check = ({ url }, { host }) => {
  const isLocal = isIP(host) === 0 && (!host.includes('.') || /\.(local|lan|home|internal)$/.test(host));
  if (!isLocal || isLocalName(host) || CONTAINER_NAMES.test(host)) return undefined;
  return { code: 'unknown-host', text: say('url-name', { url }), isCertain: false };
};

const certificate: Check = ({ url: text }, { url, host, listener, isNodeRed }, { settings }) => {
  if (url.protocol !== 'https:' || listener.scheme !== 'https' || !isNodeRed) return undefined;
  const found = certificateOf(settings.https);
  const isSelfSigned = found !== undefined && found.issuer === found.subject;
  const fits = isIP(host) === 0 ? found?.checkHost(host) : found?.checkIP(host);
  if (!isSelfSigned && (found === undefined ? isIP(host) === 0 : fits !== undefined)) return undefined;
  const key = isSelfSigned ? 'url-self-signed' : 'url-certificate';
  return { code: 'self-signed', text: say(key, { url: text }), isCertain: false };
};

/** Returns the certificate of the setting `https`, unless it is a function or unreadable. */
function certificateOf(https: unknown): X509Certificate | undefined {
  const cert: unknown = typeof https === 'object' && https !== null ? Reflect.get(https, 'cert') : undefined;
  if (typeof cert !== 'string' && !Buffer.isBuffer(cert)) return undefined;
  try {
    return new X509Certificate(cert);
  } catch {
    return undefined;
  }
}

const scheme: Check = ({ url: text }, { url, listener, isNodeRed }) =>
  isNodeRed && url.protocol !== `${listener.scheme}:`
    ? {
        code: 'scheme',
        text: say('url-protocol', { url: text, scheme: listener.scheme }),
        isCertain: true,
      }
    : undefined;

const root: Check = ({ url: text }, { url, listener, isNodeRed }) =>
  isNodeRed && url.pathname.replace(/(?<!\/)\/+$/, '') !== listener.root
    ? {
        code: 'root',
        text: say('url-root', { url: text, expected: url.origin + listener.root }),
        isCertain: true,
      }
    : undefined;

/** Proxies listen at these ports. */
const PROXY_PORTS: readonly number[] = [80, 443];

/** The URL names an address of this computer, and a port that is neither the one of Node-RED nor the audio port. */
const otherPort: Check = ({ url: text, from, port: audio }, { url, port, listener, own, isNodeRed }) => {
  const isTyped = from === 'node' || from === 'account';
  if (!isTyped || isNodeRed || isIngress(url) || !(own?.kind === 'lan' || own?.kind === 'vpn'))
    return undefined;
  if (port === audio?.port || PROXY_PORTS.includes(port)) return undefined;
  return { code: 'port', text: say('url-port', { url: text, port: listener.port }), isCertain: false };
};

const checks: readonly Check[] = [
  loopback,
  uiHost,
  container,
  addOn,
  login,
  linkLocal,
  name,
  certificate,
  scheme,
  root,
  otherPort,
];
