/** A registry of npm on this computer with one package: a native runtime that computes with the bundled WebAssembly. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { NativeRelease } from '../../../service/voices/installed/native-release.js';

const BUNDLED = path.join(
  path.dirname(require.resolve('@herald-speech/neural/package.json')),
  'dist/onnxruntime/ort.cjs',
);
const VERSION = '1.30.0';

/** The platform of this computer, as the package names it. */
export const HERE = `${process.platform}-${process.arch}`;

export class NativeRegistry {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'herald-registry-'));
  readonly #server = http.createServer((request, reply) => this.#answer(request, reply));
  readonly #before = process.env['npm_config_registry'];
  /** The packed package. */
  readonly file = path.join(this.#folder, 'package.tgz');
  /** A script of the package would write this file. */
  readonly mark = path.join(this.#folder, 'script-ran');
  release: NativeRelease;
  /** Whether the server never ends the download. */
  isStuck = false;

  /** @param library code of the library for this platform */
  constructor(library = `module.exports = require(${JSON.stringify(BUNDLED)});`) {
    const write = (name: string, content: string) => {
      const file = path.join(this.#folder, 'package', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    };
    const script = `node -e "require('fs').writeFileSync('${this.mark}', '')"`;
    const manifest = {
      name: 'onnxruntime-node',
      version: VERSION,
      main: 'dist/index.js',
      scripts: { install: script, postinstall: script, prepare: script, prepack: script },
    };
    write('package.json', JSON.stringify(manifest));
    const place = '../bin/napi-v6/${process.platform}/${process.arch}/library.js';
    write(
      'dist/index.js',
      `require('onnxruntime-common').Tensor.name;\nmodule.exports = require(\`${place}\`);`,
    );
    write('script/install.js', '');
    for (const platform of [HERE, 'plan9-vax'])
      write(`bin/napi-v6/${platform.replace('-', '/')}/library.js`, library);
    execFileSync('tar', ['czf', this.file, '-C', this.#folder, 'package']);
    const content = readFileSync(this.file);
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    this.release = {
      version: VERSION,
      integrity,
      bytes: content.length,
      platforms: { [HERE]: library.length },
    };
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    process.env['npm_config_registry'] = this.#url;
    return this;
  }

  /** Ends the server, and sets the address of the registry as before. */
  close(): void {
    this.disconnect();
    if (this.#before === undefined) delete process.env['npm_config_registry'];
    else process.env['npm_config_registry'] = this.#before;
    rmSync(this.#folder, { recursive: true });
  }

  /** Ends the server, like a network that fails. */
  disconnect(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get #url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/`;
  }

  #answer({ url = '' }: http.IncomingMessage, reply: http.ServerResponse): void {
    if (url === '/package.tgz') {
      const content = readFileSync(this.file);
      reply.setHeader('content-length', content.length);
      return void (this.isStuck ? reply.write(content.subarray(0, 100)) : reply.end(content));
    }
    const dist = { tarball: `${this.#url}package.tgz`, integrity: this.release.integrity };
    const versions = { [VERSION]: { name: 'onnxruntime-node', version: VERSION, dist } };
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ name: 'onnxruntime-node', 'dist-tags': { latest: VERSION }, versions }));
  }
}
