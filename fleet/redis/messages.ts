/** Messages of the fleet in English, with keys for translations. */
import { type Say, textsOf } from '@herald-speech/client';

/** The messages by key. `{name}` stands for a value (nodes/locales/runtime.json has the translations). */
export const fleetMessages = {
  'redis-connecting': 'Redis is not connected yet',
  'redis-gone': 'Redis cannot be reached ({problem}): check its URL and whether it runs',
  'redis-unreachable':
    'no connection to Redis within {seconds} s: check host and port of its URL, and whether it needs rediss:// (TLS) or redis://',
  'redis-foreign':
    'the server at the Redis URL does not reply as Redis does: check host and port, and whether the URL needs rediss:// (TLS)',
  'redis-database':
    'Redis has no database {database}: use a smaller number at the end of the URL, or raise "databases" in the configuration of Redis',
  'redis-hung': 'Redis does not answer: check its host and the network',
  'redis-slow': 'Redis answers later than after {milliseconds} ms: check its load and the network',
  'redis-read-only': 'Redis is read-only, such as a replica: use the URL of the primary server',
  'redis-memory': 'Redis is out of memory: raise maxmemory',
  'redis-login': 'Redis does not accept the user name or password: enter valid ones',
  'redis-permission':
    'the Redis user lacks a permission ({problem}): allow the command and the keys {prefix}*',
  'redis-loading': 'Redis is loading its data: wait until it is done',
  'redis-cluster': 'Redis is a cluster: use a single server',
  'redis-refused': 'Redis refused a command: {problem}',
  'redis-certificate': 'Redis has no trusted certificate ({problem}): set a CA, or use redis:// without TLS',
  'redis-version': 'Redis {version} is too old: version {needed} or later is needed',
  'redis-eviction': 'maxmemory-policy is {policy}, which deletes shared state: set it to noeviction',
  'redis-unknown': 'Redis does not permit INFO: its version and settings are unknown',
  'redis-url': '{field}: expected a URL such as redis://redis.example.com:6379',
  'redis-url-login': '{field}: contains a user name or password: enter them in their fields',
  'redis-prefix': '{field}: expected at most {limit} characters without braces and white space',
  'fleet-closed': 'the fleet was left',
  'work-stalled': '{count} members of the fleet ended while they did this task: check their logs',
} as const;

/** Fills in a message of this package. */
export const fleetText: Say<typeof fleetMessages> = textsOf(fleetMessages);
