import type { z } from 'zod';
import { asSpeechError, SpeechError } from '../base/errors.js';
import { issuesText } from './describe-issues.js';
import type { CheckedRequest, Operation, RequestOf } from './operation.js';

/**
 * Checks a request against its schema.
 * @param nameOf returns the name of a field for the message
 * @returns the request with the schema's defaults; without unknown fields, unless the schema is loose
 * @throws SpeechError `bad-request`; the message names each invalid field, its value and its rule
 */
export function checkRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
  nameOf?: (field: string) => string,
): z.output<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new SpeechError('bad-request', issuesText(parsed.error.issues, request, nameOf));
}

/** Checks a request unless the caller already did. @throws SpeechError `bad-request` that names the operation */
export function checkedRequest<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  { checked = false }: { checked?: boolean | undefined },
): CheckedRequest {
  if (checked) return request;
  try {
    return checkRequest(operation.request, request);
  } catch (thrown) {
    throw asSpeechError(thrown).with({ operation: operation.name });
  }
}
