/** Reads the facts of the interface that the editor pages contain from the compiled client and nodes. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { serviceFactsOf } from './services.mjs';

/**
 * @typedef {typeof import('@herald-speech/client')} Client
 * @typedef {import('@herald-speech/client').z.ZodObject} RequestSchema
 * @typedef {RequestSchema['shape']} Shape the schemas of the fields
 * @typedef {Record<string, Record<string, unknown>>} Rules JSON Schema keywords by request field
 */

/**
 * @typedef {object} FileFormats
 * @property {readonly string[]} known extensions that belong to a format, without a dot
 * @property {Record<string, string[]>} fitting the extensions of each format, its own one first; key '' without a set format
 * @property {Record<string, string>} decided the format of each extension that decides it, if the node sets none
 */

/**
 * @typedef {object} Facts
 * @property {readonly string[]} ports names of the outputs
 * @property {Record<string, unknown>} clientDefaults options of a client
 * @property {readonly string[]} sections sections of a dialog, in their order
 * @property {(field: string) => string} savedName saved property of a request field
 * @property {Client['longVoiceSettings']} voiceSettings range and default of each voice setting, for texts of any length
 * @property {Client['localSettings']} localSettings voice settings that the local service follows
 * @property {Client['models']} models languages and voice settings of each model
 * @property {FileFormats} fileFormats extensions of files by format
 * @property {readonly string[]} languages codes of the languages of all models
 * @property {string} defaultModels the default model of each language, as Markdown
 * @property {number} maxTextLength characters of one speech request
 * @property {number} maxSampleBytes bytes of a clone sample
 * @property {readonly string[]} triedFields fields of the request of "Try it"
 * @property {{preset: string[], own: string[]}} voiceFilters filters of each voice library
 * @property {import('./services.mjs').Services} services services of an account
 * @property {Record<string, import('./services.mjs').ServiceFacts>} serviceFacts facts of each service for the dialogs
 * @property {(shape: Shape) => Rules} rulesOf
 * @property {(request: RequestSchema) => string[]} onByDefault fields whose default is true
 */

/** JSON Schema keywords that the editor checks. */
const KEYWORDS = ['type', 'format', 'pattern', 'minimum', 'maximum', 'maxLength'];

/**
 * @param {string} compiled the folder of the compiled nodes
 * @returns {Facts}
 */
export function readFacts(compiled) {
  const require = createRequire(path.join(compiled, 'account.js'));
  /** @type {typeof import('../../nodes/runtime/ports.js')} */
  const { PORTS: ports } = require('./runtime/ports.js');
  /** @type {typeof import('../../nodes/lib/property.js')} */
  const { savedName, SECTIONS: sections } = require('./lib/property.js');
  /** @type {Client} */
  const client = require('@herald-speech/client');
  const {
    clientDefaults,
    longVoiceSettings: voiceSettings,
    localSettings,
    models,
    MAX_TEXT_LENGTH: maxTextLength,
    MAX_SAMPLE_BYTES: maxSampleBytes,
    z,
  } = client;
  const rulesOf = (/** @type {Shape} */ shape) => requestRules(shape, z);
  const onByDefault = (/** @type {RequestSchema} */ { shape }) =>
    Object.keys(shape).filter((field) => jsonSchemaOf(shape[field], z).default === true);
  const languages = [...new Set(Object.values(models).flatMap((model) => model.languages))];
  const defaultModels = defaultModelsOf(models, languages);
  return {
    clientDefaults,
    ports,
    sections,
    savedName,
    voiceSettings,
    localSettings,
    models,
    languages,
    fileFormats: fileFormatsOf(require),
    defaultModels,
    maxTextLength,
    maxSampleBytes,
    ...accountServices(require, client),
    triedFields: triedFieldsOf(require),
    voiceFilters: voiceFiltersOf(client),
    rulesOf,
    onByDefault,
  };
}

/**
 * @param {NodeRequire} require
 * @param {Client} client
 */
function accountServices(require, client) {
  /** @type {typeof import('../../nodes/account/services.js')} */
  const { services } = require('./account/services.js');
  return { services, serviceFacts: serviceFactsOf(services, client) };
}

/**
 * Lists the extensions of files for each format of the dialog, as the node checks them.
 * @param {NodeJS.Require} require from the compiled nodes
 * @returns {FileFormats}
 */
function fileFormatsOf(require) {
  /** @type {typeof import('../../nodes/output/files/file-format.js')} */
  const { checkExtension, knownExtensions: known } = require('./output/files/file-format.js');
  /** @type {typeof import('../../nodes/lib/output-format.js')} */
  const { formatField, formatProperty } = require('./lib/output-format.js');
  /** @type {typeof import('@herald-speech/audio')} */
  const { extensionOf } = require('@herald-speech/audio');
  /** @param {[format: Parameters<typeof checkExtension>[1], requested: Parameters<typeof checkExtension>[2]]} chosen */
  const accepted = (/** @type {string} */ extension, ...chosen) => {
    try {
      return { requested: checkExtension(`a.${extension}`, ...chosen) };
    } catch {
      return undefined;
    }
  };
  const fittingOf = (/** @type {string} */ choice) => {
    const { format, output_format } = formatField().parse(choice);
    const own = format === 'unchanged' ? (output_format ?? 'wav') : extensionOf(format);
    return [...new Set([own, ...known.filter((extension) => accepted(extension, format, output_format))])];
  };
  const choices = ['', ...(formatProperty.choices ?? [])];
  const decided = known.flatMap((extension) => {
    const format = accepted(extension, 'unchanged', undefined)?.requested;
    return format === undefined ? [] : [[extension, format]];
  });
  return {
    known,
    fitting: Object.fromEntries(choices.map((choice) => [choice, fittingOf(choice)])),
    decided: Object.fromEntries(decided),
  };
}

/**
 * @param {NodeRequire} require
 * @returns {readonly string[]}
 */
function triedFieldsOf(require) {
  /** @type {typeof import('../../nodes/admin/voices/speak.js')} */
  const { trialFields } = require('./admin/voices/speak.js');
  return trialFields();
}

/**
 * Describes the default model of each language: the first model in the table that speaks it.
 * @param {Client['models']} models
 * @param {readonly string[]} all codes of the languages
 */
function defaultModelsOf(models, all) {
  const entries = Object.entries(models);
  const modelOf = (/** @type {string} */ language) =>
    entries.find(([, { languages }]) => languages.includes(language))?.[0];
  return entries
    .map(([name]) => [name, all.filter((language) => modelOf(language) === name).join(' ')])
    .filter(([, codes]) => codes !== '')
    .map(([name, codes]) => `\`${name}\` (${codes})`)
    .join(', ');
}

/** @param {Client} client */
function voiceFiltersOf({ operations: { searchVoices, searchCustomVoices, listCustomVoices } }) {
  const filtersOf = (/** @type {{request: RequestSchema}} */ { request }) =>
    Object.keys(request.shape).filter((field) => !(field in listCustomVoices.request.shape));
  return { preset: filtersOf(searchVoices), own: filtersOf(searchCustomVoices) };
}

/**
 * @param {Shape} shape
 * @param {Client['z']} z
 * @returns {Rules} without fields whose only rule is their type
 */
function requestRules(shape, z) {
  const rules = Object.entries(shape).map(([field, schema]) => {
    const whole = Object.entries(jsonSchemaOf(schema, z));
    return /** @type {const} */ ([field, Object.fromEntries(whole.filter(isChecked))]);
  });
  return Object.fromEntries(
    rules.filter(([, rule]) => Object.keys(rule).some((keyword) => keyword !== 'type')),
  );
}

/**
 * @param {import('@herald-speech/client').z.ZodType} schema
 * @param {Client['z']} z
 */
const jsonSchemaOf = (schema, z) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/**
 * Zod gives every integer the bounds of a safe integer; these bounds are left out.
 * @param {[string, unknown]} entry
 */
const isChecked = ([keyword, value]) =>
  KEYWORDS.includes(keyword) && !(typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER);
