import { RATES } from '@herald-speech/client/sharing';
import type { Script } from '../redis/redis.js';
import { scriptOf } from '../redis/script.js';

/** Milliseconds after its last sign of life for which a member counts. */
export const MEMBER_MS = 5000;
/** Milliseconds after its last sign of life for which Redis keeps the share of a member. It probes Redis each 8 seconds at least. */
const SILENT_MS = 15_000;
/** Milliseconds for which a member lends its share. It renews the loan with its signs of life. */
export const LOAN_MS = 3000;

/**
 * The beginning of all scripts of the limits. Times are milliseconds of Redis: the clocks of the members never count.
 *
 * Keys of an account (`limitKeys`):
 *   members   sorted set: member by the time of its last sign of life
 *   state     hash: rate, stepped (time), seen (time of the last sign of life), settle (time), demand (time), called (time), and for
 *             each bucket paused (time), probe and limit
 *   credits   exists while the account is out of credits
 *   shares    hash: divisor of each member. Its share of a limit is the limit divided by this number
 *   lent      hash: member by the time until which it lends its share
 *   for each bucket:
 *   sent      sorted set: place by time. A place is `MEMBER:NUMBER`
 *   counts    hash: places of each member in `sent`
 *   served    hash: turns of each member, see `askScript`
 *   waiting   sorted set: member by the time at which it asked last
 */
const COMMON = `
local MEMBERS, STATE, CREDITS, NEWS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local logs = {
  general = { name = 'general', sent = KEYS[5], counts = KEYS[6], served = KEYS[7], waiting = KEYS[8] },
  clone = { name = 'clone', sent = KEYS[9], counts = KEYS[10], served = KEYS[11], waiting = KEYS[12] },
}
local SHARES, LENT = KEYS[13], KEYS[14]
local chains = { general = { logs.general }, clone = { logs.clone, logs.general } }
local RATES = { ${RATES.join(', ')} }
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local me, window = ARGV[1], tonumber(ARGV[2])

local function state(name) return redis.call('HGET', STATE, name) end
local function stateTime(name) return tonumber(state(name) or 0) end
local function rate() return tonumber(state('rate') or RATES[1]) end

local function hash(key)
  local cells, fields = redis.call('HGETALL', key), {}
  for index = 1, #cells, 2 do fields[cells[index]] = tonumber(cells[index + 1]) end
  return fields
end

-- The clock of Redis may be set back. Times in the future then count from now on, and loans end.
local ahead = stateTime('seen') - now
if ahead > 0 then
  for _, field in ipairs({ 'stepped', 'settle', 'demand', 'called', 'general:paused', 'clone:paused' }) do
    if state(field) then redis.call('HINCRBY', STATE, field, -ahead) end
  end
  for _, key in ipairs({ MEMBERS, logs.general.waiting, logs.clone.waiting }) do
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. now, '+inf')) do
      redis.call('ZADD', key, now, member)
    end
  end
  for member, ends in pairs(hash(LENT)) do redis.call('HSET', LENT, member, math.min(ends, now)) end
  redis.call('HSET', STATE, 'seen', now)
end

local function isAlive(member)
  local seen = redis.call('ZSCORE', MEMBERS, member)
  return seen and tonumber(seen) > now - ${MEMBER_MS}
end

local function countOf(log, member) return tonumber(redis.call('HGET', log.counts, member) or 0) end
local function servedOf(log, member) return tonumber(redis.call('HGET', log.served, member) or 0) end

local function put(log, place, at)
  local member = string.match(place, '^[^:]+')
  local former = redis.call('ZSCORE', log.sent, place)
  if not former then
    redis.call('HINCRBY', log.counts, member, 1)
    redis.call('HINCRBY', log.served, member, 1)
  end
  if not former or tonumber(former) < at then redis.call('ZADD', log.sent, at, place) end
  redis.call('PEXPIRE', log.sent, window * 2)
  redis.call('PEXPIRE', log.counts, window * 2)
  redis.call('PEXPIRE', log.served, window * 2)
end

local function trim(log)
  -- The clock of Redis may be set back.
  for _, place in ipairs(redis.call('ZRANGEBYSCORE', log.sent, '(' .. now, '+inf')) do
    redis.call('ZADD', log.sent, now, place)
  end
  for _, place in ipairs(redis.call('ZRANGEBYSCORE', log.sent, '-inf', now - window)) do
    redis.call('ZREM', log.sent, place)
    local member = string.match(place, '^[^:]+')
    if redis.call('HINCRBY', log.counts, member, -1) <= 0 then redis.call('HDEL', log.counts, member) end
  end
end

-- Returns the share of a bucket that Redis keeps for each member, without those that are lent.
-- A loan of a longer time is of a clock of Redis that was set back.
local function sharesOf(limit)
  local shares, lent = {}, hash(LENT)
  for member, divisor in pairs(hash(SHARES)) do
    local ends = lent[member] or 0
    local isLent = ends > now and ends <= now + ${LOAN_MS}
    shares[member] = isLent and 0 or math.floor(limit / divisor)
  end
  return shares
end

-- Returns the places that the other members have or may take without Redis.
local function othersOf(log, shares)
  local counts, sum = hash(log.counts), 0
  for member, share in pairs(shares) do counts[member] = math.max(share, counts[member] or 0) end
  for member, count in pairs(counts) do
    if member ~= me then sum = sum + count end
  end
  return sum
end

-- Returns the part of the limits that the members share out, up to 1.
local function claimed(without)
  local sum = 0
  for member, divisor in pairs(hash(SHARES)) do
    if member ~= without then sum = sum + 1 / divisor end
  end
  return sum
end
local ALL = 1.000001

-- Whether this member may have a share without Redis: the others have left room for it in both windows.
local function fits(divisor)
  if claimed(me) + 1 / divisor > ALL then return false end
  for name, log in pairs(logs) do
    local limit = tonumber(state(name .. ':limit') or 0)
    trim(log)
    -- A Redis that lost its data does not know the limit before the next question.
    if limit > 0 or redis.call('ZCARD', log.sent) > 0 then
      local own = math.max(countOf(log, me), math.floor(limit / divisor))
      if othersOf(log, sharesOf(limit)) + own > limit then return false end
    end
  end
  return true
end

local function forget(member)
  redis.call('ZREM', MEMBERS, member)
  redis.call('HDEL', SHARES, member)
  redis.call('HDEL', LENT, member)
  for _, log in pairs(logs) do redis.call('HDEL', log.served, member) end
end

-- Forgets members without signs of life. If Redis itself was away, they get time to return.
local function forgetSilent(isNew)
  local wasAway = not isNew and now - stateTime('seen') > ${MEMBER_MS}
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', MEMBERS, '-inf', now - ${MEMBER_MS})) do
    if wasAway then redis.call('ZADD', MEMBERS, now, member) end
  end
  local silent = redis.call('ZRANGEBYSCORE', MEMBERS, '-inf', now - ${SILENT_MS})
  for _, member in ipairs(silent) do forget(member) end
  if #silent > 0 then redis.call('PUBLISH', NEWS, 'beat') end
end

local function keep()
  redis.call('PEXPIRE', STATE, 86400000)
  for _, key in ipairs({ MEMBERS, SHARES, LENT }) do redis.call('PEXPIRE', key, math.max(60000, window * 2)) end
end
`;

/** Returns a script of the limits. */
export const limitScript = (lua: string): Script => scriptOf(COMMON + lua);
