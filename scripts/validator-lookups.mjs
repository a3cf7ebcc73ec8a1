/** What the validator looks up, answered on this machine. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';

const ANSWER_WITHIN_MS = 20_000;

/**
 * Starts a server that is both the proxy and the registry of the validator. It knows `manifests` as if they were
 * published and hands on all else; for a catalogue that is out of reach stands one without packages.
 */
export async function answerLookups(manifests) {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const ours = new Map(manifests.map((manifest) => [manifest.name, published(manifest)]));
  let catalogue = 'nobody';
  const answer = async (url) => {
    // A proxy is asked for a whole address, a registry for a path.
    const { href, pathname } = new URL(url, registry);
    const name = decodeURIComponent(pathname.slice(1));
    if (name !== 'catalogue.json') return ours.get(name) ?? fetchJson(new URL(pathname.slice(1), registry));
    const found = await fetchJson(href).catch(() => undefined);
    catalogue = found ? 'the public catalogue' : 'an empty catalogue: the public one is out of reach';
    return found ?? { modules: [] };
  };
  const server = createServer((request, response) => void reply(response, answer(request.url)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    /** Which catalogue was asked. */
    catalogue: () => catalogue,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What a registry tells of a package whose only version this is. */
const published = (manifest) => ({
  name: manifest.name,
  'dist-tags': { latest: manifest.version },
  versions: { [manifest.version]: manifest },
});

async function fetchJson(url) {
  const reply = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
  return reply.json();
}

async function reply(response, answer) {
  try {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answer));
  } catch (error) {
    console.error(error);
    response.writeHead(502).end();
  }
}
