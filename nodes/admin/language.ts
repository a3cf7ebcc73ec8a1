import type { Request } from 'express';
import type { Translator } from '../runtime/localize.js';

/**
 * Returns a translator for the language of the editor, the first one in the header `Accept-Language`. Node-RED has loaded the
 * texts of this language for the editor's dialogs. Without the header, uses the language of Node-RED.
 */
export function editorTranslator(RED: Translator, request: Pick<Request, 'acceptsLanguages'>): Translator {
  const [lng] = request.acceptsLanguages();
  if (lng === undefined || !/^[a-z]{2,3}(-[a-z]+)*$/i.test(lng)) return RED;
  return { _: (id, options) => RED._(id, { ...options, lng }) };
}
