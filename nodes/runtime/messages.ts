/** Error messages and status texts of the nodes in English, with keys for translations. */
import { type messages as clientMessages, type Say, textsOf } from '@herald-speech/client';
import { statusMessages } from './status-messages.js';
import { urlMessages } from './url-messages.js';
import { tableMessages } from './table-messages.js';

/** The messages by key. `{name}` stands for a value (nodes/locales/runtime.json has the translations). */
export const nodeMessages = {
  ...statusMessages,
  ...tableMessages,
  ...urlMessages,
  reset: 'stopped by msg.reset',
  'stopped-by-user': 'a user stopped the announcement in the sidebar',
  replaced: 'a newer message replaced this one',
  interrupted: 'a newer message interrupted this one',
  'superseded-loop': 'a newer message replaced this one during its retry',
  'node-stopped': 'the node was stopped or deployed anew',
  'account-stopped': 'the account was stopped or deployed anew',
  'service-stopped': 'the local service was stopped',
  'service-restarts': 'the local service has ended and starts again',
  'stopped-messages': 'stopped before the end of its work; unfinished messages: {size}',
  outage:
    'the service has answered with errors for more than {minutes} minutes: contact its support. For the local service, read its log',
  'queue-full': '{limit} messages already wait at this node: send again when fewer wait',

  'not-evaluated': '{field}: cannot evaluate {source} {value}: {problem}',
  'payload-kind': 'payload {value}: expected a Buffer with WAV or MP3 audio, or a URL of audio',
  'payload-file':
    'payload {value}: expected a Buffer with WAV or MP3 audio, or a URL of audio, not the path of a file: read the file with a “read file” node, as a single Buffer',
  'payload-format': 'payload {value}: expected WAV or MP3 audio',
  'payload-raw': 'payload {value}: browsers cannot play raw audio: choose the format WAV or MP3',
  file: 'file {file}: {problem}',
  'file-missing': 'no such file or folder: correct the path',
  'file-denied': 'access denied: permit it to the user that runs Node-RED, or choose another path',
  'file-folder': 'this path is a folder: add the name of a file',
  'file-special': 'a pipe, device or socket, not a regular file: choose another path',
  'file-not-folder': 'a part of this path is a file, not a folder: choose another path',
  'file-late': 'the file system did not answer within {seconds} s: check the disk or the network share',
  'file-full': 'the disk is full: free some space, then send the message again',
  'file-outside':
    'file {file}: outside the folder {root}, which must contain the file: remove ".." or the symbolic link',
  'file-unnamed': 'filename {template}: the values of the tags give an empty name: set these values',
  'file-tag':
    'filename {template}: {tag} has no text: set a text or number in the message, or write {optional} if the value may be missing',
  'buffer-full':
    'the audio has more than {limit} bytes, the limit of the output buffer: choose the output file or URL',
  'file-format':
    'file {file}: the audio has the format {format}: change the extension of the file or the format',
  'folder-missing': 'folder {folder} does not exist: create it, or select “Create folder”',
  'file-size': 'expected at most {limit} bytes',
  'no-urls':
    'httpNodeRoot is false in the settings, so Node-RED serves no URLs: set it, or choose another output',
  'no-audio-folder':
    'Node-RED has no folder for audio: set userDir in the settings, or choose another output',
  'rule-folder': 'expected the path of the folder for the prompt files',
  'prompts-own-index':
    'csv_file {file}: the run would replace this file by its index: choose another name, or switch off “CSV index”',
  'prompts-damaged-run': 'the interrupted run cannot continue: its file is damaged: {file}',
  'prompts-resumed': 'continues the run that was interrupted',
  'prompts-not-deployed': 'this node is not deployed: deploy it first',
  'prompts-not-started':
    'the node has not started the run: its status and the message on its output name the reason',
  'prompts-running': 'this node already makes prompts: stop the run first, or wait',
  'prompts-no-rows':
    'no table: send it to the node in a message, or enter a CSV file. It needs the columns text and filename',
  'prompts-no-file': 'file {file}: no run has made this file',
  'prompts-over-budget':
    'the new and changed prompts need about {needed} {unit}, but {left} {unit} of the budget are left: raise the budget of the account, or make fewer rows',
  'prompts-other-voice':
    'the voice {voice} was late, so {other} spoke: send the row again, or permit the fallback',
  'prompts-failed-voice':
    'the voice {voice} failed, so {other} spoke: send the row again, or permit the fallback. The failure: {reason}',
  'prompts-damaged-lines':
    'the list of made files has damaged lines (count: {count}): the run compared their files as unknown files',
  'prompts-failing': '{count} rows in a row have failed, so the run ended early. The last failure: {failure}',
  'prompts-rows-left': 'the run ended before these rows: {failure}',
  'prompts-busy':
    'folder {folder}: another run works in it ({owner}): wait for its end, or choose another folder',
  'prompts-owner': 'process {pid} on {host}',
  'prompts-removed':
    'folder {folder}: it was removed or renamed during the run: restore it, then send these rows again',
  'prompts-later-version':
    'a later version of Herald wrote this file: update Herald, or choose another folder',
  'prompts-replaces': 'replaces a file that no run has made',
  'prompts-text-warning': '{filename}: {warning}',
  'prompts-more-warnings':
    'more texts have warnings. The report has only the first warnings, at most {limit}',
  'prompts-gone-kept':
    'no gone file was deleted (gone: {count}), because a wrong row can hide the name of its file. Correct every wrong row (wrong: {wrong}), then run again',
  'prompts-changed': 'the text, the voice or a setting has changed',
  'prompts-edited': 'the file has changed since the last run and will be replaced',
  'index-title': 'Prompts',
  'index-summary': 'Files: {count}, duration {duration}',
  'index-number': 'No.',
  'index-text': 'Text',
  'index-file': 'File',
  'index-duration': 'Duration',
  'index-player': 'Player',
  'index-play': 'Play {file}',
  'rule-change': 'expected a new name or description',
  'rule-buffer-text':
    'expected at most {limit} characters for a Buffer, which has at most {bytes} bytes: choose a file, a URL or pieces',
  'rule-chime-choice': 'expected {choices}, a path, or a Buffer with a WAV or MP3 file',
  'rule-text-needed': 'enter a text or a number',
  'warning-empty':
    '{field}: the tag {tag} has no value: correct its name, or write {optional} if the value may be missing',
  'chime-problem': '{field}: {problem}',
  'rule-chime-file': 'expected the path of a WAV or MP3 file',
  'rule-path': 'expected the path of the file to write',
  'rule-any-time': 'expected a time such as 2026-01-31T00:00:00Z, a date, or milliseconds since 1970',
  'rule-own-filter': 'custom voices have only the filters name, description and style: leave this one blank',
  'rule-order': 'expected a period that does not end before it starts',
  'rule-days': 'expected at most {days} days from the first to the last day',
  'rule-calendar': 'expected a time that exists in the calendar',
  'rule-sample-or-path': 'expected a Buffer with a WAV or MP3 file, or the path of a file',

  'account-missing': 'account: the selected account is missing or disabled: select another',
  'account-service': 'account: service {value}: expected local or hosted',
  'account-setting': 'account: {problem}',
  'account-pronunciation': 'account: row {row} of the pronunciations: {problem}',
  'rule-price': 'expected the price of a second, because the budget is in credits',
  'fallback-choice':
    'account: fallback {value}: expected none, local, or "account:" and the id of an account',
  'fallback-self': 'account: the fallback is the account itself: select another account, or none',
  'fallback-missing':
    'account {account}: the fallback account is missing or disabled: select another. Until then, nothing speaks if the service fails',
  'circuit-opened':
    'account {account}: its service failed {count} times in a row. The fallback speaks; the service is tried again from time to time, first in {seconds} s',
  'circuit-closed': 'account {account}: its service speaks again',
  'budget-damaged':
    'account {account}: the file of the budget is damaged, so the budget counts as unused: {file} ({problem})',
  'budget-not-written':
    'account {account}: cannot save the budget, so a restart of Node-RED forgets the use: {file} ({problem})',
  'proxy-missing':
    'account: the selected proxy is missing, disabled, incomplete or not deployed: check it, then deploy',
  'tls-missing':
    'account: the selected TLS configuration is missing, disabled, incomplete or not deployed: check it, then deploy',
  'mark-no-audio': 'the file is no WAV, MP3, AAC, FLAC or Ogg Opus: other files have no mark',
  'mark-damaged': 'the file is damaged, so its mark is not readable',
  'mark-key': 'the key of this Herald is not readable: {problem}',
  'mark-unsigned': 'the mark of synthetic speech has no signature: {problem}',
  'cache-size': 'account: {field} is {value}: expected megabytes from 1 to {limit}',
  'fleet-url': '{field}: expected an address such as redis://redis.example.com:6379, or rediss:// for TLS',
  'fleet-url-secret':
    '{field}: contains a user name or a password: remove them, and enter them in the fields “User” and “Password” of the account',
  'fleet-url-database':
    '{field}: expected only the number of a database after host and port, such as redis://redis.example.com:6379/2',
  'fleet-tls':
    '{field}: starts with redis://, which is without TLS: start it with rediss://, or remove the TLS configuration',
  'fleet-cache': '{field} {value}: expected redis or folder',
  'fleet-not-installed':
    'account: sharing over Redis needs a package: run "{command}" in the folder {folder}, then restart Node-RED ({problem})',
  'fleet-joined': 'account {account}: shares its limits over Redis',
  'fleet-apart':
    'account {account}: cannot use Redis: {reason}. Speech goes on with the local cache and at most {share} requests per minute until Redis answers',
  'fleet-password':
    'the stored Redis password is sent only to the deployed address, but {field} changed: type the password again, or deploy first',
  'warning-apart':
    'Redis failed, so the account used its share of the rate limit and the local cache: {reason}',
  'program-port-in-use':
    '{field} {port}: another program uses it: enter another “{field}” under “Connect other programs” in the account, or end that program',
  'program-port-denied': '{field} {port}: cannot open: {problem}',
  'program-ports-other':
    'another account opens the ports for other programs: select “Off” under “Connect other programs” in one of them',
  'program-key-missing':
    'the account has no saved key for other programs: press “New key”, then “Update” and “Deploy”',
  'rule-other-port': 'expected another port than the one of the service',
  'figures-not-installed':
    'account: “Write figures as words” needs the package {package}: install it, or turn the option off',
  'not-installed':
    'the local service is not installed: add the package {package}, or choose a hosted service in the account',
  'no-data-folder':
    'the local service has no data folder: set userDir in the settings, or the environment variable HERALD_DATA',
  'not-started': 'the local service did not start: {problem}',

  'speakers-not-installed':
    'the output “Speaker” needs a package: run "{command}" in the folder {folder}, then restart Node-RED ({problem})',
  'speaker-kind': 'speaker {name}: the type is missing: choose one',
  'speaker-address': 'speaker {name}: Address is blank: enter the host name or IP address',
  'speaker-kind-unknown': 'speaker {name}: unknown type {value}: expected {kinds}',
  'speaker-number':
    'speaker {name}: {field} is {value}: enter a number from 0 to {max}, or nothing for the default',
  'speaker-none': 'Speakers (msg.speaker): there is no speaker yet: add one in this node',
  'speaker-choose': 'Speakers (msg.speaker): choose at least one of {names}',
  'speaker-unknown': 'Speakers (msg.speaker): there is no speaker {value}: expected {names}',
  'speaker-failures': '{first}; {second}',
  'speaker-port': '{problem}, or open the audio port: enter a “Port” under “Players” in the account',
  'speaker-not-restored': 'speaker {name}: cannot restore its music and volume: {problem}',
  'speaker-journal': 'cannot note what a speaker played before, so a crash would not restore it: {problem}',
  'rule-speakers': 'expected a name, or a list of names',

  'editor-closed': 'the editor disconnected',
  'test-no-answer': 'no answer within {seconds} s: check “{field}” and the network',
  'test-refused': '{field}: the connection was refused. Start the service there, or correct host and port.',
  'test-host': '{field}: the host name was not found. Correct it, or enter the IP address of the host.',
  'test-unreachable': '{field}: the host is not reachable. Check the address and the network.',
  'test-key': '{field}: the service does not accept this key (401). Enter a valid key.',
  'test-key-missing': '{field}: the service needs a key (401). Enter its key.',
  'test-scheme': '{field}: this port needs {scheme} at the start of the address',
  'test-no-service': 'no speech service at this address: check “{field}”',
  'editor-waited': 'the service did not answer within {seconds} s',
  'key-not-given': '{field} is missing: enter the key of the account',
  'key-address':
    'the stored API key is sent only to the deployed address, but {field} changed: type the key again, or deploy first',
  environment: '{field} is an environment variable, which is read only at deploy: deploy first',
  'no-sample': 'this voice has no sample for language {language}, style {style}, model {model}',
  'sample-format': 'neither WAV nor MP3',
  'sample-failed': 'cannot play the sample: {failure}',
  'natural-failed': 'message of the service: {problem}',
  'natural-repository':
    'the voice repository did not send the file. Without a network, choose a folder with its files under “Import from a folder”. Message of the service: {problem}',
  'audio-expired': 'this audio has expired: send the message again',

  'reach-sentence': 'This is the test sound. Your speaker reaches Node-RED.',
  'reach-expired': 'this test sound has expired: start a new test',
  'reach-not-deployed': 'this node is not deployed: press Done, then Deploy, and open this dialog again',
  'reach-no-wire': 'output 1 of the deployed node has no wire: connect the node of your speaker, then deploy',

  'warning-length': 'sample: {seconds} s long; {min} to {max} s give the best results',
  'warning-approximation':
    'the new voice is an approximation: the local service copies the pitch and the rate of the sample, not its timbre or accent',
  'warning-channels': 'sample: several channels; mono gives better results',
} as const;

/** Fills in a message of the nodes. */
export const say: Say<typeof nodeMessages> = textsOf(nodeMessages);

/** Messages of the client in the words of the dialogs (docs/decisions/0033-messages-with-keys.md). */
export const dialogMessages = {
  'refused-401':
    'the service does not accept the API key (401): enter a valid key under “API key” in the account',
  'refused-429': 'too many requests (429): send again later, or lower “Rate limit” in the account',
  'voice-unknown': '{field} {voice}: the service has no such voice. Choose one with “Find a voice”.',
  'voice-not-installed':
    '{field} {voice}: this natural voice is not installed. Install it with “Find a voice” and “More voices …”, or run "herald-service voices install {name}".',
  'rule-text-left': 'nothing is left without markup and emoji: enter a text, or set “Markup” to “Read”',
} as const satisfies Partial<Record<keyof typeof clientMessages, string>>;
