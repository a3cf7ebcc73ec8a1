import assert from 'node:assert/strict';
import { type Operation, z } from '@herald-speech/client';
import { Ajv2020 } from 'ajv/dist/2020.js';

const schema = z.record(z.string(), z.unknown());
const described = z.looseObject({
  headers: z.record(z.string(), z.looseObject({ schema, required: z.boolean().optional() })).default({}),
  content: z.record(z.string(), z.looseObject({ schema })).optional(),
});
const document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), described) })),
  ),
  components: schema,
});

/** The OpenAPI description of a service, which checks replies. */
export class Description {
  readonly #ajv = new Ajv2020({ strict: true, allErrors: true }).addVocabulary(['components']);
  readonly #document: z.output<typeof document>;

  constructor(json: unknown) {
    this.#document = document.parse(json);
  }

  /** Requests the description from a service. */
  static async of(url: string): Promise<Description> {
    return new Description(await (await fetch(`${url}/openapi.json`)).json());
  }

  /** Returns the described statuses of an operation. */
  statusesOf(operation: Operation): number[] {
    return Object.keys(this.#repliesTo(operation)).map(Number);
  }

  /**
   * Reads and checks a reply.
   * @throws AssertionError if its status, type, headers or body differ from the description
   */
  async check(operation: Operation, reply: Response): Promise<void> {
    const { status, headers } = reply;
    const where = `${operation.name} ${status}`;
    const text = await reply.text();
    const described = this.#repliesTo(operation)[status];
    assert.ok(described, `${where} is not described: ${text}`);
    for (const [name, header] of Object.entries(described.headers)) {
      const value = headers.get(name);
      assert.ok(value !== null || header.required !== true, `${where} has no ${name}`);
      if (value !== null) this.#validate(header.schema, readAs(header.schema, value), `${where} ${name}`);
    }
    if (described.content === undefined) return assert.equal(text, '', where);
    const type = headers.get('content-type') ?? 'none';
    const body = described.content[type];
    assert.ok(body, `${where} of the type ${type} is not described`);
    for (const part of partsOf(text, type)) this.#validate(body.schema, part, `${where} ${type}`);
  }

  #repliesTo({ path, method, name }: Operation) {
    const described = this.#document.paths[path]?.[method.toLowerCase()];
    return described?.responses ?? assert.fail(`${name} is not described`);
  }

  #validate(schema: object, value: unknown, where: string): void {
    const { components } = this.#document;
    const isValid = this.#ajv.validate({ ...schema, components }, value);
    assert.ok(isValid, `${where}: ${this.#ajv.errorsText()}`);
  }
}

function readAs(schema: Record<string, unknown>, value: string): unknown {
  return schema['type'] === 'number' || schema['type'] === 'integer' ? Number(value) : value;
}

/** Returns the values for the schema of a body: the JSON value, one value for each line of JSON, or the text. */
function partsOf(text: string, type: string): unknown[] {
  if (type === 'application/json') return [JSON.parse(text)];
  if (type !== 'application/x-ndjson') return [text];
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}
