import { scriptOf } from '../redis/script.js';

/**
 * The shared functions of the scripts.
 *
 * Keys below the prefix of the account; all of them are in one slot of a cluster:
 *   speech:NAME    one entry; expires if it is not used
 *   speech-used    sorted set: NAME by the microsecond of the last use
 *   speech-sizes   hash: bytes by NAME, and the sum of all bytes as `total`
 *   lease:NAME     the token of the member that makes the call, or `-` if the call ended without a stored entry
 *
 * The index never counts too little, because a script removes an entry and its size together. An entry that has expired
 * counts until a script removes it. If Redis evicts one half of the index, the next stored entry clears the cache.
 */
const shared = `
local entries, used, sizes, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
local function forget(name)
  redis.call('UNLINK', entries .. name)
  redis.call('ZREM', used, name)
  local bytes = redis.call('HGET', sizes, name)
  if bytes then
    redis.call('HDEL', sizes, name)
    redis.call('HINCRBY', sizes, 'total', -tonumber(bytes))
  end
end
local function clear()
  for _, name in ipairs(redis.call('ZRANGE', used, 0, -1)) do redis.call('UNLINK', entries .. name) end
  for _, name in ipairs(redis.call('HKEYS', sizes)) do redis.call('UNLINK', entries .. name) end
  redis.call('UNLINK', used, sizes)
end
local function keepIndex(ttl)
  for _, key in ipairs({used, sizes}) do
    if redis.call('PTTL', key) < ttl then redis.call('PEXPIRE', key, ttl) end
  end
end
local function count() return math.max(0, redis.call('HLEN', sizes) - 1) end
local function total() return tonumber(redis.call('HGET', sizes, 'total') or 0) end
`;

/**
 * Returns the entry, or takes the lease.
 * ARGV: name, token, milliseconds of the lease, milliseconds of an entry without use.
 * Returns `found` and the entry, `lead`, `wait` and the remaining milliseconds of the lease, or `alone`.
 * A full or read-only Redis still returns entries: the time of use is then not written.
 */
const claim = `${shared}
local name, token, lease, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local entry = redis.call('GET', entries .. name)
if entry then
  if redis.call('ZSCORE', used, name) then
    redis.pcall('PEXPIRE', entries .. name, ttl)
    redis.pcall('ZADD', used, 'XX', now(), name)
    pcall(keepIndex, ttl)
  end
  return {'found', entry}
end
local holder = redis.call('GET', leases .. name)
if holder == '-' then return {'alone'} end
if holder and holder ~= token then return {'wait', redis.call('PTTL', leases .. name)} end
redis.call('SET', leases .. name, token, 'PX', lease)
return {'lead'}
`;

/**
 * Renews a lease. Takes it again if it is gone, for example because Redis was restarted.
 * ARGV: name, token, milliseconds of the lease. Returns 0 if another member has the lease.
 */
const renew = `${shared}
local holder = redis.call('GET', leases .. ARGV[1])
if holder and holder ~= ARGV[2] then return 0 end
redis.call('SET', leases .. ARGV[1], ARGV[2], 'PX', ARGV[3])
return 1
`;

/**
 * Ends a lease and wakes the waiting members. ARGV: name, token, channel, milliseconds for which other members do not wait.
 * A full Redis refuses SET. The waiting members then make the call one after the other.
 */
const release = `${shared}
local name, token, channel, alone = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('GET', leases .. name) ~= token then return 0 end
local isMarked = false
if alone > 0 then
  local reply = redis.pcall('SET', leases .. name, '-', 'PX', alone)
  isMarked = not (type(reply) == 'table' and reply.err)
end
if not isMarked then redis.call('DEL', leases .. name) end
redis.call('PUBLISH', channel, name)
return 1
`;

/**
 * Stores an entry, ends the lease and wakes the waiting members. The least recently used entries leave first.
 * ARGV: name, token, channel, entry, its counted bytes, bytes of the cache, milliseconds of an entry without use.
 * The first write adds memory. If Redis is full, it refuses this write, and the script returns 0 and changes nothing else.
 */
const put = `${shared}
local name, token, channel, entry = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local bytes, limit, ttl = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local time = now()
if redis.call('ZCARD', used) ~= count() then clear() end
local first = redis.pcall('ZADD', used, time, name)
if type(first) == 'table' and first.err then return 0 end
forget(name)
for _, old in ipairs(redis.call('ZRANGEBYSCORE', used, '-inf', time - ttl * 1000, 'LIMIT', 0, 1000)) do
  forget(old)
end
while total() + bytes > limit do
  local oldest = redis.call('ZRANGE', used, 0, 0)[1]
  if not oldest then break end
  forget(oldest)
end
redis.call('SET', entries .. name, entry, 'PX', ttl)
redis.call('ZADD', used, time, name)
redis.call('HSET', sizes, name, bytes)
redis.call('HINCRBY', sizes, 'total', bytes)
keepIndex(ttl)
if redis.call('GET', leases .. name) == token then redis.call('DEL', leases .. name) end
redis.call('PUBLISH', channel, name)
return 1
`;

/** Removes a damaged entry. ARGV: name. */
const drop = `${shared}
forget(ARGV[1])
return 1
`;

/** Returns 1 if an entry exists or a member makes the call. ARGV: name. */
const has = `${shared}
local holder = redis.call('GET', leases .. ARGV[1])
if holder and holder ~= '-' then return 1 end
return redis.call('EXISTS', entries .. ARGV[1])
`;

/** Returns the counted bytes and the number of entries. */
const size = `${shared}
return {total(), count()}
`;

/** Removes all entries. */
const removeAll = `${shared}
clear()
return 1
`;

/** The Lua scripts of the cache. */
export const scripts = {
  claim: scriptOf(claim),
  renew: scriptOf(renew),
  release: scriptOf(release),
  put: scriptOf(put),
  drop: scriptOf(drop),
  has: scriptOf(has),
  size: scriptOf(size),
  removeAll: scriptOf(removeAll),
};
