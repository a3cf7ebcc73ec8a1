import path from 'node:path';

/** A model that cannot be loaded or run. The message names the file, the reason and the fix. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  /** @param isOutOfMemory whether the memory limit is the reason */
  constructor(
    model: string,
    reason: string,
    readonly isOutOfMemory = false,
    options?: ErrorOptions,
  ) {
    super(`${path.basename(model)}: ${reason}`, options);
  }
}

const DAMAGED = 'Check it with "herald-service voices verify", or remove the voice and install it again';
const MAX_REASON = 300;

/** Reasons of ONNX Runtime, with the explanation for users. */
const KNOWN: readonly [pattern: RegExp, explain: (match: RegExpExecArray) => string][] = [
  [
    /protobuf parsing failed|no graph was found|does not have a graph/i,
    () => `the file is not a complete ONNX model. ${DAMAGED}`,
  ],
  [
    /No Op registered for (\S+)|opset (?:version )?\d+ is (?:under development|not supported)|ValidateOpsetForDomain/,
    ([, operator]) =>
      `the model needs ${operator === undefined ? 'a version of the ONNX operators' : `the operator "${operator}"`} ` +
      'that the runtime does not have. Use a model of a Piper voice, or update @herald-speech/neural',
  ],
];

const OUT_OF_MEMORY =
  /bad_alloc|out of memory|Failed to allocate|memory access out of bounds|Array buffer allocation/i;

/**
 * Explains an error of ONNX Runtime.
 * @param step `load` or `run`
 */
export function explain(
  model: string,
  step: 'load' | 'run',
  cause: unknown,
  memoryBytes: number,
): ModelError {
  if (cause instanceof ModelError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (OUT_OF_MEMORY.test(message)) return outOfMemory(model, memoryBytes, cause);
  for (const [pattern, explanation] of KNOWN) {
    const match = pattern.exec(message);
    if (match !== null) return new ModelError(model, explanation(match), false, { cause });
  }
  const failed = step === 'load' ? 'cannot be loaded' : 'failed';
  return new ModelError(model, `the model ${failed}: ${shortened(message)}`, false, { cause });
}

export const outOfMemory = (model: string, memoryBytes: number, cause?: unknown): ModelError =>
  new ModelError(
    model,
    `the model exceeds the memory limit of ${Math.round(memoryBytes / 1e6)} MB. ` +
      'Use shorter sentences or a voice of lower quality, or raise the limit',
    true,
    { cause },
  );

/** Without the prefix and the folders of files. */
const shortened = (message: string): string =>
  message
    .replace(/^.*ERROR_MESSAGE: /s, '')
    .replaceAll(/(?:\/[\w.-]+)*\//g, '')
    .trim()
    .slice(0, MAX_REASON);
