/** Lists the extensions of files for each format of the dialog, as the node checks them. */

/**
 * @typedef {object} FileFormats
 * @property {readonly string[]} known extensions that belong to a format, without a dot
 * @property {Record<string, string[]>} fitting the extensions of each format, its own one first; key '' without a set format
 */

/**
 * @param {NodeJS.Require} require from the compiled nodes
 * @returns {FileFormats}
 */
export function fileFormatsOf(require) {
  /** @type {typeof import('../../nodes/output/files/file-format.js')} */
  const { checkExtension, knownExtensions: known } = require('./output/files/file-format.js');
  /** @type {typeof import('../../nodes/lib/output-format.js')} */
  const { formatField, formatProperty } = require('./lib/output-format.js');
  /** @type {typeof import('@herald-speech/audio')} */
  const { extensionOf } = require('@herald-speech/audio');
  const fittingOf = (/** @type {string} */ choice) => {
    const { format, output_format } = formatField().parse(choice);
    const own = format === 'unchanged' ? (output_format ?? 'wav') : extensionOf(format);
    const fits = (/** @type {string} */ extension) => {
      try {
        checkExtension(`a.${extension}`, format, output_format);
        return true;
      } catch {
        return false;
      }
    };
    return [...new Set([own, ...known.filter(fits)])];
  };
  const choices = ['', ...(formatProperty.choices ?? [])];
  return { known, fitting: Object.fromEntries(choices.map((choice) => [choice, fittingOf(choice)])) };
}
