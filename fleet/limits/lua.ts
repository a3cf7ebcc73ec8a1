import { RATES } from '@herald-speech/client/sharing';

/** Milliseconds after its last sign of life for which a member counts. */
export const MEMBER_MS = 5000;

/**
 * The beginning of all scripts of the limits. Times are milliseconds of Redis: the clocks of the members never count.
 *
 * Keys of an account (`limitKeys`):
 *   members   sorted set: member by the time of its last sign of life
 *   state     hash: rate, stepped (time), seen (time of the last sign of life), settle (time), and for each bucket paused (time)
 *             and probe
 *   credits   exists while the account is out of credits
 *   for each bucket:
 *   sent      sorted set: place by time. A place is `MEMBER:NUMBER`
 *   counts    hash: places of each member in `sent`
 *   served    hash: turns of each member, see `askScript`
 *   waiting   sorted set: member by the time at which it asked last
 */
export const COMMON = `
local MEMBERS, STATE, CREDITS, NEWS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local logs = {
  general = { name = 'general', sent = KEYS[5], counts = KEYS[6], served = KEYS[7], waiting = KEYS[8] },
  clone = { name = 'clone', sent = KEYS[9], counts = KEYS[10], served = KEYS[11], waiting = KEYS[12] },
}
local chains = { general = { logs.general }, clone = { logs.clone, logs.general } }
local RATES = { ${RATES.join(', ')} }
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local me, window = ARGV[1], tonumber(ARGV[2])

local function state(name) return redis.call('HGET', STATE, name) end
local function stateTime(name) return tonumber(state(name) or 0) end
local function rate() return tonumber(state('rate') or RATES[1]) end

-- The clock of Redis may be set back. Times in the future then count from now on.
local ahead = stateTime('seen') - now
if ahead > 0 then
  for _, field in ipairs({ 'stepped', 'settle', 'general:paused', 'clone:paused' }) do
    if state(field) then redis.call('HINCRBY', STATE, field, -ahead) end
  end
  for _, key in ipairs({ MEMBERS, logs.general.waiting, logs.clone.waiting }) do
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. now, '+inf')) do
      redis.call('ZADD', key, now, member)
    end
  end
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

local function keep()
  redis.call('PEXPIRE', STATE, 86400000)
  redis.call('PEXPIRE', MEMBERS, 60000)
end
`;
