/** Error messages in English, with keys for translations. */
import { type Decimal, decimalIn, type Languages, languageNames } from './language-values.js';
import type { AudioError } from './audio-error.js';

/** The messages by key. `{name}` stands for a value. Node-RED translates them (nodes/locales/runtime.json). */
export const messages = {
  'caller-stopped': 'the caller stopped the call',
  'client-closed': 'the client was closed',
  'not-done': 'no result within {seconds} s',
  'calls-waiting': '{limit} calls are already waiting, the limit maxWaiting: send again later',
  'no-place': 'the rate limit allows the next call in {seconds} s, after the deadline',
  'next-try-late': '{failure}; the next try in {seconds} s would be after the deadline',
  'no-more-tries': '{failure}; too many requests failed: send again later',
  'at-address': '{failure}; address: {url}',
  'call-not-sent': 'the account is out of credits: the call was not sent',
  'over-budget-day':
    'budget per day: {used} of {limit} {unit} are used today, and this text needs {needed}: send it again after midnight, or raise the budget',
  'over-budget-month':
    'budget per month: {used} of {limit} {unit} are used this month, and this text needs {needed}: send it again next month, or raise the budget',
  'over-budget-message':
    'budget per message: this text needs {needed} {unit}, the limit is {limit}: shorten it, or raise the budget',
  'unit-seconds': 'seconds',
  'unit-credits': 'credits',
  'no-audio': 'no audio within {seconds} s',
  'circuit-open': 'the service failed {count} times in a row; no call for the next {seconds} s',
  'fallback-failed': '{failure}; the fallback "{account}" failed too: {problem}',
  'endless-list': 'the list has no end: a page token repeats, or the list has more than {limit} pages',
  'list-large': 'the pages of the list have more than {limit} bytes: use filters',
  'list-slow': 'the list was not complete within {seconds} s: use filters',
  chunk: 'chunk {index} of {count}: {failure}',
  'two-failures': '{first}; {second}',

  'cache-skipped':
    'the audio cache {folder}: {problem}. Speech continues without the cache. Check the folder, or choose another one',
  'cache-failed': 'the audio cache {folder}: {problem}',
  'cache-disk-full': 'the disk is full',
  'cache-permission': 'no permission',
  'cache-not-folder': 'the path contains a file in the place of a folder',
  'cache-late': 'the folder does not answer',

  'url-missing': '{field} is missing: enter the URL of the service, such as https://speech.example.com',
  'url-invalid': '{field}: not a URL; expected a URL such as https://speech.example.com',
  'url-bare': '{field}: starts without http:// or https://: enter {url}',
  'url-scheme': '{field}: {protocol} is not http or https; expected a URL such as https://speech.example.com',
  'url-password':
    '{field}: contains a user name or password; expected a URL such as https://speech.example.com',
  'url-query': '{field}: contains a query or fragment; expected a URL such as https://speech.example.com',
  'key-missing': '{field} is missing: enter the key of the account',
  'key-space': '{field} has white space around it: copy the key again',
  'key-characters': '{field} has a character that is not printable ASCII: copy the key again',
  'proxy-address':
    '{name}: expected the URL of an HTTP or HTTPS proxy, such as http://proxy.example.com:3128',
  'tls-fields': 'tls: {fields}: unknown option or wrong type',
  'tls-pair': 'tls: cert and key must be set together',
  'tls-files': 'tls: {problem}',

  'not-supported-custom':
    'this service has no custom voices: use a preset voice, or an account of a service with custom voices',
  'not-supported-credits': 'this service counts no credits: use an account of a hosted service',
  'not-supported-usage': 'this service reports no usage: use an account of a hosted service',
  'not-supported-operation': 'this service has no operation {operation}: use an account of another service',
  'not-supported-field': '{field}: this service does not support it. Leave it blank, or use another account.',
  'not-supported-format': '{field} is {value}: this service makes only {formats}. Choose another format.',

  'openai-key': 'the service needs an API key (401): enter its key in the account',
  'openai-quota':
    'the account of the service has no quota left ({status}): add credits there, or wait for the next period',
  'openai-model':
    '{field} {model}: the service has no such model. Enter a model of this service in the account, or in the message.',
  'openai-address': 'the service has no speech at this address ({status}): check the base URL',
  'openai-no-default':
    '{field} {voice}: the service has no such voice, and no default voice. Search for a voice, or set a default voice in the service.',
  'openai-offline':
    '{field} {voice}: the service has not loaded this voice, and cannot download it. Load it in the service, or use another voice.',

  replied: 'the service replied {status}',
  'replied-text': 'the service replied {status}: {service}',
  'refused-401': 'the service does not accept the API key (401): use a valid key',
  'refused-402': 'the account has no credits left (402): add credits',
  'refused-403':
    'the API key does not permit this operation (403): permit it in the service, or use another key in the account',
  'refused-408': 'the service did not receive the whole request in time (408): send it again',
  'refused-413': 'the request is too large for the service (413): shorten the text or the sample',
  'refused-415': 'the service does not support this kind of file (415): use WAV or MP3',
  'refused-429': 'too many requests (429): send again later, or lower the rate limit',
  'refused-503': 'the service is busy or stops (503): send again later',
  'refused-5xx': 'the service has a fault ({status}): send again later',
  'reply-mismatch': 'the reply does not match the interface: {fields}',
  'reply-phonemes': 'the reply with phonemes does not match the interface',
  'reply-type': 'the reply is {type}, expected {expected}: check the URL',
  'reply-untyped': 'the reply has no content type, expected {expected}: check the URL',
  'empty-body': 'an empty body',
  audio: 'audio',
  'reply-json': 'the reply is incomplete JSON',
  'reply-no-audio': 'the reply has no audio',
  'reply-audio': 'the reply is not a complete audio file: {problem}',
  'audio-not-audio': 'neither WAV nor MP3',
  'audio-incomplete': 'the file is incomplete or damaged',
  'audio-mismatch': 'the pieces have different formats',
  'audio-unsupported': 'the encoding is not supported',
  'reply-large': 'the reply is larger than {limit} bytes',
  'audio-large': 'the audio has more than {limit} bytes, the limit of a Buffer: write it to a file or a URL',
  'download-status': 'the server replied {status}',
  'download-address': 'the file address is not an HTTP or HTTPS URL',

  'wyoming-address-missing':
    '{field} is missing: enter the address of the Wyoming server, such as tcp://192.168.1.5:10200',
  'wyoming-address-invalid':
    '{field}: expected a host with or without a port, such as tcp://192.168.1.5:10200 or tcp://[2001:db8::5]:10200',
  'wyoming-no-events': 'the reply is not valid Wyoming ({problem}): check the address and the port',
  'wyoming-error': 'the Wyoming server reports: {service}',
  'wyoming-nothing-to-speak':
    'text: the Wyoming server found nothing to speak. Send a text with letters or digits',
  'wyoming-voice-unknown':
    '{field} {voice}: the server does not have this voice, although it may list it. Choose a voice that it has. Without voice and language, the default voice of the server speaks.',
  'wyoming-format':
    'the audio of the Wyoming server has an invalid {field}: expected a whole number from 1 to {limit}',
  'wyoming-format-change': 'the audio of the Wyoming server changes its format in the middle of a reply',

  refused: 'connection refused: nothing listens at this address',
  'host-unknown': 'unknown host name',
  'host-lookup': 'the host name lookup failed temporarily',
  'host-unreachable': 'the host is unreachable',
  'network-unreachable': 'the network is unreachable',
  'connect-timeout': 'no connection within the timeout',
  'reply-timeout': 'no reply within the timeout',
  'reply-stalled': 'the reply stalled',
  'reply-headers': 'the headers of the reply are too large',
  'request-invalid': 'the HTTP request is invalid',
  'connection-lost': 'the connection was lost',
  'connection-closed': 'the connection closed before the reply was complete',
  'connection-failed': 'the connection failed',
  certificate: 'the certificate is not trusted, or the server does not use TLS',
  'reply-http': 'the reply is not valid HTTP',
  'with-code': '{failure} ({code})',
  proxy: 'the proxy: {failure}',
  'proxy-login': 'the proxy refused the user name or password (407): enter valid ones',
  'proxy-failed': 'the proxy cannot reach the service ({status})',
  'proxy-refused': 'the proxy refused the connection to the service ({status})',

  'invalid-request': 'the request is invalid',
  invalid: '{field} is {value}: {rule}',
  missing: '{field} is missing: {rule}',
  'value-long': '{start}… ({length} characters)',
  'value-bytes': 'a Buffer of {size} bytes',
  'warning-replaced': '{field}: {name} was replaced by a space',
  'warning-markup': '{field}: markup was removed',
  'warning-emoji': '{field}: emoji were removed',
  'warning-say-as':
    '{field}: say-as with interpret-as "{value}": unknown, so its content is read as other text. Use {values}',
  'warning-not-said-as':
    '{field}: say-as has no effect with this account. Turn on "Write figures as words" in the account, or use the local service',
  'warning-unknown': '{field}: unknown, sent unchanged',
  'warning-left-out': '{field}: {count} pieces without a letter or digit were left out',
  'warning-approximate':
    '{field}: the custom voice is an approximation. It has the pitch and the rate of the sample, not its timbre or accent',
  'warning-voice-failed': 'the voice {voice} failed, so {other} spoke: {reason}',
  'warning-half-character': 'half a character',

  locale: 'en',
  'voice-speaks-only': '{voice} speaks only {spoken}. Choose a voice that speaks {language}.',
  'voice-lacks-language': '{voice} does not speak {language}. Choose a voice that speaks {language}.',
  'no-voice': 'The service has no {language} voice. Choose another language.',
  'voice-unknown': '{field} {voice}: the service has no such voice. Search for a voice.',
  'voice-not-installed':
    '{field} {voice}: this natural voice is not installed. Use another voice, or run: herald-service voices install {name}',
  'normalized-long':
    '{field} needs a text of one request ({limit} characters), but this text takes {count}: shorten the text',
  'rule-type': 'expected {type}',
  'rule-string': 'enter a text',
  'rule-number': 'enter a number',
  'rule-boolean': 'enter true or false',
  'rule-array': 'enter a list',
  'rule-object': 'enter an object',
  'rule-at-most': 'expected a number of at most {limit}',
  'rule-duration': 'expected at most {limit} seconds: {each} for each of the {count} pieces of this text',
  'rule-at-least': 'expected a number of at least {limit}',
  'rule-characters': 'expected at most {limit} characters',
  'rule-bytes': 'expected at most {limit} bytes',
  'rule-choice': 'expected one of {choices}',
  'rule-unknown': 'unrecognized key: {keys}',
  'rule-word': 'expected a word, not an empty string',
  'rule-identifier': 'expected an identifier without white space',
  'rule-page-token': 'expected the token of the previous page',
  'rule-text': 'expected a text with at least one letter or digit',
  'rule-text-left': 'nothing is left without markup and emoji: send a text, or let markup be read',
  'rule-language': 'expected a two-letter language code such as "en"',
  'rule-separators': 'expected commas (any of) or semicolons (all of), not both',
  'rule-sample': 'expected a Buffer with a WAV or MP3 file',
  'rule-audio': 'expected a WAV or MP3 file: {problem}',
  'rule-time': 'expected a time such as 2026-01-31T00:00:00Z',
  'rule-date': 'expected a date such as 2026-01-31',
  'rule-whole': 'expected a whole number',
  'rule-rate': 'expected a whole number above 0',
  'rule-rate-auto': 'expected "auto" or a whole number above 0',
  'rule-url': 'expected a URL such as http://192.168.1.5:1880',
  'rule-groups': 'expected voice_id or voice_name, not both',
} as const;

/** A value in a message. A text is translated together with the message. */
type MessageValue = string | number | Text | Languages | Decimal;

/** A message in English, with its key and its values for a translation. */
export interface Text {
  key: string;
  values: Readonly<Record<string, MessageValue>>;
  english: string;
}

type Placeholders<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The values of a message: one for each placeholder. */
type Values<Message> = [Placeholders<Message>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Message>, MessageValue>>];

/** Fills in a message of a table. */
export type Say<Table> = <Key extends keyof Table & string>(key: Key, ...values: Values<Table[Key]>) => Text;

/** Returns a function that fills in the messages of a table. */
export const textsOf =
  <const Table extends Readonly<Record<string, string>>>(table: Table): Say<Table> =>
  (key, ...[values]) =>
    textOf(key, table[key] ?? key, values);

const textOf = (key: string, message: string, values?: Text['values']): Text =>
  values === undefined
    ? { key, values: {}, english: message }
    : { key, values, english: fill(message, values) };

function fill(message: string, values: Text['values']): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name] ?? placeholder;
    if (typeof value !== 'object') return String(value);
    if ('decimal' in value) return decimalIn(value, messages.locale);
    return 'languages' in value ? languageNames(value, messages.locale) : value.english;
  });
}

/** Returns the message of an error as a value of another message. */
export const messageOf = ({ text, message }: { text: Text | undefined; message: string }): Text | string =>
  text ?? message;

/** Fills in a message of the client. */
export const text: Say<typeof messages> = textsOf(messages);

/** Returns the problem of an audio file: its details in English, its kind in other languages. */
export const audioProblem = ({ kind, message }: AudioError): Text => ({
  ...text(`audio-${kind}`),
  english: message,
});
