/** Answers the registry and catalogue lookups of the package validator. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';

const TIMEOUT_MS = 20_000;

/** @typedef {{name: string, version: string}} Manifest The fields of a `package.json` that the registry needs. */

/**
 * Starts a server that is both proxy and registry for the validator. It answers for the given manifests as if they were
 * published, and forwards all other lookups. If the public catalogue is unreachable, it returns an empty catalogue.
 * @param {readonly Manifest[]} manifests
 */
export async function startLookups(manifests) {
  const lookups = new Lookups(manifests);
  const server = createServer(
    (request, response) => void reply(response, lookups.answer(request.url ?? '/')),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('expected the server to listen on a port');
  return {
    address: `http://127.0.0.1:${bound.port}`,
    /** Returns a description of the catalogue that answered. */
    catalogue: () => lookups.catalogue,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

class Lookups {
  catalogue = 'no catalogue';
  #registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  #unpublished;

  /** @param {readonly Manifest[]} manifests */
  constructor(manifests) {
    this.#unpublished = new Map(manifests.map((manifest) => [manifest.name, registryEntry(manifest)]));
  }

  /**
   * @param {string} url a whole URL from a client with a proxy, a path from a client of a registry
   * @returns {Promise<unknown>} the JSON body
   */
  async answer(url) {
    const { href, pathname } = new URL(url, this.#registry);
    const name = decodeURIComponent(pathname.slice(1));
    if (name === 'catalogue.json') return this.#readCatalogue(href);
    return this.#unpublished.get(name) ?? fetchJson(new URL(pathname.slice(1), this.#registry));
  }

  /** @param {string} url */
  async #readCatalogue(url) {
    const found = await fetchJson(url).catch(() => undefined);
    this.catalogue = found ? 'the public catalogue' : 'an empty catalogue: the public one is unreachable';
    return found ?? { modules: [] };
  }
}

/** @param {Manifest} manifest */
const registryEntry = (manifest) => ({
  name: manifest.name,
  'dist-tags': { latest: manifest.version },
  versions: { [manifest.version]: manifest },
});

/**
 * @param {string | URL} url
 * @returns {Promise<unknown>}
 */
async function fetchJson(url) {
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
  return reply.json();
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {Promise<unknown>} answer
 */
async function reply(response, answer) {
  try {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answer));
  } catch (error) {
    console.error(error);
    response.writeHead(502).end();
  }
}
