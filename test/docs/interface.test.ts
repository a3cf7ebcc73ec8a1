import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  clientDefaults,
  DEFAULT_MODEL,
  MAX_NAME_LENGTH,
  MAX_SAMPLE_BYTES,
  MAX_TEXT_LENGTH,
  localSettings,
  models,
  operations,
  PAGE_SIZE,
  USAGE_PAGE_SIZE,
  voiceSettings,
} from '@herald-speech/client';
import { RATES } from '../../client/calls/sliding-log.js';
import { MAX_CUSTOM_VOICES } from '../../service/accounts/custom-voices.js';
import { MAX_ACTIVE_KEYS } from '../../service/accounts/keys.js';
import { tiers } from '../../service/accounts/tiers.js';
import { DAYS_KEPT } from '../../service/accounts/usage-record.js';
import { connectionLimits } from '../../service/http/connection-limit.js';
import { MAX_JSON_BYTES } from '../../service/http/read-request.js';
import { serviceDefaults } from '../../service/service.js';
import { MAX_NORMALIZED_LENGTH } from '../../service/voices/catalogue/speak-request.js';
import { MAX_SAMPLES } from '../../service/http/samples/sample-queue.js';
import { workerPoolDefaults } from '../../service/voices/workers/limits.js';
import { filesBelow } from '../../scripts/files.mjs';
import { withService } from '../support/service/client-for.js';
import { rejection } from '../support/rejection.js';
import { startTestService, type TestService } from '../support/service/service.js';
import { cellOf, linksOf, type Row, sectionsOf, tableOf } from './markdown.js';
import {
  bodyFieldOf,
  type Document,
  fetchDescription,
  fieldOf,
  operationsOf,
  replyOf,
  requestFieldsOf,
  type Schema,
  typeOf,
} from './openapi.js';

const root = path.join(__dirname, '..', '..');
const page = readFileSync(path.join(root, 'docs', 'interface.md'), 'utf8');
const sections = sectionsOf(page);

const section = (slug: string) => sections.get(slug) ?? assert.fail(`the page has no anchor #${slug}`);
const table = (slug: string, first: string) => tableOf(section(slug), first);
const cells = (row: Row, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, cellOf(row, column)]));
const yes = (value: boolean) => (value ? 'yes' : 'no');
const figure = (value: number) => value.toLocaleString('en-US');
const sorted = (words: Iterable<string>) => [...words].toSorted();
const byField = <Item extends { Field?: string | undefined }>(items: readonly Item[]) =>
  items.toSorted((a, b) => (a.Field ?? '').localeCompare(b.Field ?? ''));

describe('docs/interface.md', () => {
  let service: TestService;
  let description: Document;
  before(async () => {
    service = await startTestService();
    description = await fetchDescription(service.url);
  });
  after(() => service.close());

  const described = (name: string) =>
    operationsOf(description).get(name) ?? assert.fail(`the service does not describe ${name}`);
  const requestColumns = ['Field', 'In', 'Type', 'Required', 'Default', 'Range'];

  it('lists every operation with its method, path, rate bucket, repeatability and cost', () => {
    const columns = ['Operation', 'Method', 'Path', 'Rate bucket', 'Idempotent', 'Costs credits'];
    const rows = table('operations', 'Operation').map((row) => cells(row, columns));
    const expected = Object.values(operations).map(({ name, method, path, bucket, idempotent, paid }) => ({
      Operation: name,
      Method: method,
      Path: path,
      'Rate bucket': bucket,
      Idempotent: yes(idempotent),
      'Costs credits': yes(paid),
    }));
    assert.deepEqual(rows, expected);
  });

  it('links every operation to its request and its reply', () => {
    const names = table('requests-and-replies', 'Operation').map((row) => cellOf(row, 'Operation'));
    assert.deepEqual(names, Object.keys(operations));
  });

  for (const row of table('requests-and-replies', 'Operation')) {
    const name = cellOf(row, 'Operation');

    it(`lists the request fields of ${name} with place, type, default and range`, () => {
      const tables = linksOf(cellOf(row, 'Request')).flatMap((anchor) => table(anchor, 'Field'));
      const rows = tables.map((field) => cells(field, requestColumns));
      assert.deepEqual(byField(rows), byField(requestFieldsOf(described(name))));
    });

    it(`lists every status of ${name}`, () => {
      const statuses = [cellOf(row, 'Status'), ...cellOf(row, 'Failures').split(', ')];
      assert.deepEqual(statuses, Object.keys(described(name).responses));
    });

    it(`lists the fields of the reply to ${name}`, () => {
      const [anchor, ofItem] = linksOf(cellOf(row, 'Reply'));
      const { reply } = Object.values(operations).find((each) => each.name === name) ?? {};
      if (reply === 'json') return compareReply(anchor ?? '', replyOf(described(name)), ofItem);
      assert.match(cellOf(row, 'Reply'), reply === 'audio' ? /^\[audio\]/ : /^empty$/);
    });
  }

  function compareReply(anchor: string, schema: Schema, ofItem?: string): void {
    const rows = table(anchor, 'Field');
    const { properties, required } = schema;
    const expected = Object.entries(properties).map(([name, field]) => ({
      Field: name,
      Type: typeOf(field),
      Required: yes(required.includes(name)),
    }));
    const words = rows.map((row) => ({
      Field: cellOf(row, 'Field'),
      Type: typeIn(row, ofItem),
      Required: cellOf(row, 'Required'),
    }));
    assert.deepEqual(byField(words), byField(expected), `#${anchor}`);
    for (const row of rows) {
      const field = properties[cellOf(row, 'Field')];
      const [inner] = linksOf(cellOf(row, 'Type'));
      const nested = inner ?? (cellOf(row, 'Type') === 'array' ? ofItem : undefined);
      if (nested !== undefined) compareReply(nested, field ? itemsOf(field) : assert.fail(nested));
    }
  }

  /** Returns the type in a row. A link means an object; `items` of a page are objects of the linked table. */
  function typeIn(row: Row, ofItem: string | undefined): string {
    const type = cellOf(row, 'Type').replace(/\[[^\]]*\]\(#[\w-]+\)/, 'object');
    return type === 'array' && ofItem !== undefined ? 'array of object' : type;
  }

  function itemsOf({ items, anyOf = [] }: Schema): Schema {
    const [found] = [items, ...anyOf.map((each) => each.items)].filter((each) => each !== undefined);
    return found ?? assert.fail('the field is not an array');
  }

  it('lists the fields of phonemes', () => {
    const { phonemes } = replyOf(described('createSpeech')).properties;
    compareReply('phonemes', phonemes ?? assert.fail('the reply has no phonemes'));
  });

  it('lists every voice setting with its default and range', () => {
    const { properties } = bodyFieldOf(described('createSpeech'), 'voice_settings');
    const columns = ['Field', 'Type', 'Required', 'Default', 'Range'];
    const rows = table('voice-settings', 'Field').map((row) => ({ ...cells(row, columns), In: 'body' }));
    const expected = Object.entries(properties).map(([name, field]) => fieldOf(name, 'body', false, field));
    assert.deepEqual(rows, expected);
  });

  it('lists every model with its languages and voice settings', () => {
    const rows = table('models', 'Model').map((row) => [
      cellOf(row, 'Model'),
      sorted(cellOf(row, 'Languages').split(' ')),
      sorted(cellOf(row, 'Voice settings').split(' ')),
    ]);
    const expected = Object.entries(models).map(([name, { languages, settings }]) => [
      name,
      sorted(languages),
      sorted(settings),
    ]);
    assert.deepEqual(rows, expected);
    assert.match(section('models'), new RegExp(`^- \`${DEFAULT_MODEL}\` is the default\\.$`, 'm'));
  });

  it('lists the voice settings without effect in the local service', () => {
    const [, line = ''] = /^- (.*) are checked, but have no effect\.$/m.exec(section('local-service')) ?? [];
    const named = [...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    assert.deepEqual(sorted([...named, ...localSettings]), sorted(Object.keys(voiceSettings)));
  });

  for (const row of table('models', 'Model')) {
    const model = cellOf(row, 'Model');
    const utterance = { text: 'Hi.', language: 'en', model };

    it(`states whether ${model} streams`, async () => {
      const reply = await service.send('POST', '/v1/text-to-speech/slt/stream', utterance);
      await reply.arrayBuffer();
      assert.equal(reply.status, cellOf(row, 'Streams') === 'yes' ? 200 : 400);
    });

    it(`states whether ${model} reads normalized_text`, async () => {
      const lengthOf = async (body: object) => {
        const reply = await service.send('POST', '/v1/text-to-speech/slt', body);
        await reply.arrayBuffer();
        return reply.headers.get('x-audio-length');
      };
      const plain = await lengthOf(utterance);
      const normalized = await lengthOf({ ...utterance, normalized_text: 'Good morning to you.' });
      assert.equal(yes(plain !== normalized), cellOf(row, 'Reads normalized_text'));
    });
  }

  it('lists every error status with its name and the form of its body', () => {
    const names = description.components.schemas['NamedError']?.properties['message']?.properties['error'];
    const replies = [...operationsOf(description).values()].flatMap(({ responses }) =>
      Object.entries(responses).filter(([status]) => Number(status) >= 400),
    );
    const rows = table('errors', 'Status');
    assert.deepEqual(
      rows.map((row) => cellOf(row, 'Name')),
      names?.enum,
    );
    for (const [status, { description: name, content }] of replies) {
      const row = rows.find((each) => cellOf(each, 'Status') === status) ?? assert.fail(status);
      const form = cellOf(row, 'Body') === 'plain' ? 'Error' : 'NamedError';
      const ref = content['application/json']?.schema.$ref;
      assert.deepEqual([cellOf(row, 'Name'), ref], [name, `#/components/schemas/${form}`]);
    }
  });

  it('states the error code of the client for each status', async () => {
    const rows = table('errors', 'Status');
    const listed = new Map(rows.map((row) => [Number(cellOf(row, 'Status')), cellOf(row, 'Client code')]));
    const statuses = [302, ...Array.from({ length: 200 }, (_, index) => 400 + index)];
    await withService(
      ({ query }) => ({ status: Number(query.get('next_page_token')), body: {} }),
      async (client) => {
        for (const status of statuses) {
          const request = { start_time: TIME, end_time: TIME, next_page_token: String(status) };
          const { code } = await rejection(client.call(operations.getUsage, request));
          assert.equal(code, listed.get(status) ?? otherCode(status), String(status));
        }
      },
      { attempts: 1 },
    );
  });

  const TIME = '2026-01-01T00:00:00Z';

  /** Returns the error code of a status that is not in the table (docs/interface.md#errors). */
  function otherCode(status: number): string {
    if (status < 400) return 'bad-reply';
    return status >= 500 ? 'service-failed' : 'bad-request';
  }

  it('lists the fields of a named error body', () => {
    const message = description.components.schemas['NamedError']?.properties['message']?.properties ?? {};
    const fields = table('error-body', 'Field').map((row) => cellOf(row, 'Field'));
    assert.deepEqual(fields, Object.keys(message));
  });

  it('lists every header of a reply, and the header of the key', () => {
    const sent = [...operationsOf(description).values()].flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers }) => Object.keys(headers)),
    );
    const { name } = description.components.securitySchemes.key;
    const listed = table('headers', 'Header').map((row) => cellOf(row, 'Header'));
    assert.deepEqual(sorted(listed), sorted(new Set([name, 'Content-Type', ...sent])));
    assert.ok(section('authentication').includes(`\`${name}\``));
  });

  it('states every limit', () => {
    const rates = new Set(Object.values(tiers).flatMap(({ request }) => (request < Infinity ? request : [])));
    const [low, middle, high] = [...rates].toSorted((a, b) => a - b);
    assert.deepEqual(
      RATES.toSorted((a, b) => a - b),
      [low, middle, high],
    );
    const limits = Object.fromEntries(
      table('limits', 'Limit').map((row) => [cellOf(row, 'Limit'), cellOf(row, 'Value')]),
    );
    assert.deepEqual(limits, {
      'Text length': `${MAX_TEXT_LENGTH} characters`,
      'Name length': `${MAX_NAME_LENGTH} characters`,
      'Sample size': `${figure(MAX_SAMPLE_BYTES)} bytes`,
      'Sample format': 'WAV or MP3',
      'Page size': `${PAGE_SIZE.min} to ${PAGE_SIZE.max} items, default ${PAGE_SIZE.default}`,
      'Usage page size': `${USAGE_PAGE_SIZE.min} to ${USAGE_PAGE_SIZE.max} buckets, default ${USAGE_PAGE_SIZE.default}`,
      'Voice usage': limits['Voice usage'],
      'Active keys': `${MAX_ACTIVE_KEYS} keys per account`,
      'Request rate': `${low}, ${middle} or ${high} requests per minute`,
      'Clone rate': `${clientDefaults.clonesPerMinute} clones per minute`,
    });
    assert.equal(clientDefaults.clonesPerMinute, tiers.free.clone);
  });

  it('states the days that a voice usage report covers', async () => {
    const row = table('limits', 'Limit').find((each) => cellOf(each, 'Limit') === 'Voice usage');
    const days = Number(/^(\d+) days$/.exec(row ? cellOf(row, 'Value') : '')?.[1]);
    const statusFor = async (length: number) => {
      const end = new Date(Date.UTC(2026, 0, length)).toISOString().slice(0, 10);
      const query = `start_date=2026-01-01&end_date=${end}`;
      return (await service.send('GET', `/v1/voice-usage?${query}`)).status;
    };
    assert.deepEqual([await statusFor(days), await statusFor(days + 1)], [200, 400]);
  });

  it('states every limit of the local service', () => {
    const limits = Object.fromEntries(
      table('local-limits', 'Limit').map((row) => [cellOf(row, 'Limit'), cellOf(row, 'Value')]),
    );
    assert.deepEqual(limits, {
      'JSON body': `${figure(MAX_JSON_BYTES)} bytes`,
      'Normalized text': `${figure(MAX_NORMALIZED_LENGTH)} characters`,
      'Custom voices': `${figure(MAX_CUSTOM_VOICES)} voices`,
      'Arrival of a request': `${serviceDefaults.timeouts.request / 1000} seconds`,
      'Time for speech': `${workerPoolDefaults.timeLimit / 1000} seconds`,
      Usage: `${DAYS_KEPT} days`,
      Connections: figure(connectionLimits.connections),
      'Requests at a time': figure(connectionLimits.requests),
      'Samples of voices': `${MAX_SAMPLES} samples`,
    });
  });

  it('states the version of the description', () => {
    assert.ok(section('versions').includes(`version ${description.info.version}.`));
  });

  it('has an anchor for each of its internal links', () => {
    for (const anchor of linksOf(page)) section(anchor);
  });
});

/** Returns the files below a folder of the repository, without those of packages and of the build. */
const inFolder = (folder: string) => filesBelow(path.join(root, folder)).map((file) => `${folder}/${file}`);

describe('a reference to the interface page', () => {
  const folders = readdirSync(root).filter((name) => !/^(\..*|coverage|node_modules)$/.test(name));
  const files = folders
    .flatMap((name) => (statSync(path.join(root, name)).isFile() ? [name] : inFolder(name)))
    .filter((file) => /\.(ts|mjs|md)$/.test(file));
  const text = (file: string) => readFileSync(path.join(root, file), 'utf8');

  it('has an existing anchor', () => {
    const named = files.flatMap((file) =>
      [...text(file).matchAll(/interface\.md#([\w-]+)/g)].map(([, anchor = '']) => ({ file, anchor })),
    );
    const broken = named.filter(({ anchor }) => !sections.has(anchor));
    assert.deepEqual(broken, []);
  });

  it('points to no document outside the repository', () => {
    const outside = files.filter((file) => /service-api\.md|\boperations\.md/.test(text(file)));
    assert.deepEqual(outside, []);
  });
});
