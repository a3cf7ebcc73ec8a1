import type { Redis } from '../redis/redis.js';
import { scriptOf } from '../redis/script.js';
import { COMMON, LOAN_MS, MEMBER_MS } from './lua.js';

const limitScript = (lua: string) => scriptOf(COMMON + lua);

/** Milliseconds for which a member counts as waiting after it asked for a place. */
const WAITING_MS = 2500;
/** Milliseconds until a member asks again if it is not its turn. */
export const TURN_MS = 15;
/** Milliseconds between two calls for loans. */
const CALL_MS = 200;
/** Milliseconds after which members no longer renew their loans. */
const DEMAND_MS = 2500;
/** The first moments after an empty window, as a divisor of the window: about a second of a minute. */
export const FIRST_MOMENTS = 60;

/** The keys of the scripts, in the order that `COMMON` expects. */
export const limitKeys = (redis: Pick<Redis, 'key'>): string[] => {
  const ofBuckets = ['general', 'clone'].flatMap((bucket) => [
    bucket,
    `${bucket}:counts`,
    `${bucket}:served`,
    `${bucket}:waiting`,
  ]);
  return ['members', 'state', 'credits', 'news', ...ofBuckets, 'shares', 'lent'].map((name) =>
    redis.key(name),
  );
};

/**
 * Takes places in the window of a bucket. A clone takes a place in both windows.
 * Of the members that wait, the one with the fewest turns goes first (docs/decisions/0085-one-window-in-redis.md). Each member
 * counts with at least its share, unless it lends it (docs/decisions/0170-shares-that-members-lend.md).
 * Arguments: member, window, bucket, wanted places (0: waits no longer), limit of general, limit of clone (`auto`, or -1 for
 * no limit), number of the first place.
 * Reply: [0] if Redis does not know the member; otherwise [1, granted places, milliseconds until the next question (-1: not
 * known), 1 if the place is the probe after a pause, rate].
 */
export const askScript = limitScript(`
local bucket, want, first = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[7])
local chain = chains[bucket]
local own = chain[1]
if want == 0 then
  redis.call('ZREM', own.waiting, me)
  return { 1, 0, 0, 0, rate() }
end
if not redis.call('ZSCORE', MEMBERS, me) then return { 0 } end
redis.call('ZADD', MEMBERS, now, me)
local limits = { general = ARGV[5] == 'auto' and rate() or tonumber(ARGV[5]), clone = tonumber(ARGV[6]) }

local function isProbing(log)
  local probe = state(log.name .. ':probe')
  return probe and probe ~= 'due' and isAlive(probe)
end

local members = redis.call('ZCOUNT', MEMBERS, now - ${MEMBER_MS}, '+inf')

-- Milliseconds until a member may take more than its share: in the first moments, the others may not wait yet.
local function waitOfShare(log)
  local oldest = redis.call('ZRANGE', log.sent, 0, 0, 'WITHSCORES')
  local share = math.ceil(limits[log.name] / math.max(2, members))
  if countOf(log, me) < share then return 0 end
  return math.max(0, math.ceil(tonumber(oldest[2] or now) + window / ${FIRST_MOMENTS} - now))
end

for name in pairs(logs) do
  if state(name .. ':limit') ~= tostring(limits[name]) then redis.call('HSET', STATE, name .. ':limit', limits[name]) end
end
local ownsShare = not redis.call('HGET', LENT, me)
local lacksLoan = false

-- Milliseconds until the window has a place beside the shares of the others; -1 if it needs a loan.
local function waitOfWindow(log, limit)
  local shares = sharesOf(limit)
  local own = ownsShare and shares[me] or 0
  local mine, others = countOf(log, me), othersOf(log, shares)
  if mine < own or others + mine < limit then return 0 end
  lacksLoan = lacksLoan or redis.call('ZCARD', log.sent) < limit
  local counts = hash(log.counts)
  local places = redis.call('ZRANGE', log.sent, 0, -1, 'WITHSCORES')
  for index = 1, #places, 2 do
    local member = string.match(places[index], '^[^:]+')
    local count = counts[member] or 0
    counts[member] = count - 1
    if member == me then mine = mine - 1 elseif count > (shares[member] or 0) then others = others - 1 end
    if mine < own or others + mine < limit then return math.max(1, tonumber(places[index + 1]) + window - now) end
  end
  return -1
end

-- Milliseconds until a place is free; -1 if that is not known.
local function waitOf(log)
  if isProbing(log) then return -1 end
  local wait = math.max(0, stateTime(log.name .. ':paused') - now, stateTime('settle') - now)
  local limit = limits[log.name]
  if limit >= 0 then
    trim(log)
    wait = math.max(wait, waitOfShare(log))
    local one = waitOfWindow(log, limit)
    if one < 0 then return -1 end
    wait = math.max(wait, one)
  end
  return wait
end

local function wait()
  local longest = 0
  for _, log in ipairs(chain) do
    local one = waitOf(log)
    if one < 0 then return -1 end
    longest = math.max(longest, one)
  end
  return longest
end

local mine, fewest, most = servedOf(own, me), math.huge, -math.huge
for _, member in ipairs(redis.call('ZRANGEBYSCORE', own.waiting, now - ${WAITING_MS}, '+inf')) do
  if member ~= me then
    local served = servedOf(own, member)
    fewest, most = math.min(fewest, served), math.max(most, served)
  end
end

-- Limits the turns by which a member that starts to wait is ahead of the others, or behind them.
local function startWaiting()
  local askedAt = tonumber(redis.call('ZSCORE', own.waiting, me) or 0)
  if fewest > most or askedAt >= now - ${WAITING_MS} then return end
  local credit = math.floor(math.max(0, limits[bucket]) / math.max(2, members - 1))
  mine = math.max(mine, most - credit)
  mine = math.min(mine, fewest + math.min(credit, countOf(own, me)))
  redis.call('HSET', own.served, me, mine)
  redis.call('PEXPIRE', own.served, window * 2)
end

-- A place of the own share is free without a turn: other members cannot take it.
local function isOwn()
  for _, log in ipairs(chain) do
    local limit = limits[log.name]
    local own = ownsShare and limit >= 0 and sharesOf(limit)[me] or 0
    if countOf(log, me) >= own then return false end
  end
  return true
end

local granted, isProbe = 0, 0
local next = wait()
startWaiting()
while granted < want and next == 0 do
  if mine > fewest and not isOwn() then
    next = ${TURN_MS}
    break
  end
  local place = me .. ':' .. (bucket == 'clone' and 'c' or 'g') .. (first + granted)
  for _, log in ipairs(chain) do
    if limits[log.name] >= 0 then put(log, place, now) end
    if state(log.name .. ':probe') then
      redis.call('HSET', STATE, log.name .. ':probe', me)
      isProbe = 1
    end
  end
  granted, mine = granted + 1, mine + 1
  next = wait()
end
if granted < want then
  redis.call('ZADD', own.waiting, now, me)
  redis.call('ZREMRANGEBYSCORE', own.waiting, '-inf', now - ${WAITING_MS})
  redis.call('PEXPIRE', own.waiting, ${WAITING_MS * 2})
  redis.call('HSET', STATE, 'demand', now)
  if lacksLoan and now - stateTime('called') > ${CALL_MS} then
    redis.call('HSET', STATE, 'called', now)
    redis.call('PUBLISH', NEWS, 'lend')
  end
else
  redis.call('ZREM', own.waiting, me)
end
keep()
return { 1, granted, next, isProbe, rate() }
`);

/**
 * Reports the places of a member: those taken while it was apart, and all others in the window, in case Redis lost them.
 * Arguments: member, window, `seen` of the member's last sign of life (0 for a new member, '' to report only places), rate after
 * steps while it was apart or '', divisor of its share (0: none yet), time until which it lends the share or 0, then for each place:
 * bucket, number, age in milliseconds.
 * Reply: milliseconds for which the fleet waits for members that have not reported to a Redis that lost its data.
 */
export const restoreScript = limitScript(`
local seen, divisor, lentUntil = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
if seen then
  if seen == 0 and #redis.call('ZRANGEBYSCORE', MEMBERS, now - ${MEMBER_MS}, '+inf') == 0 then
    -- The first member starts with the highest rate, as a client without a fleet does.
    redis.call('HDEL', STATE, 'rate', 'stepped')
  end
  if stateTime('seen') < seen then
    -- Redis lost its data, or has those of an older time. The other members also have places and shares to report.
    redis.call('DEL', MEMBERS, SHARES, LENT)
    redis.call('HSET', STATE, 'settle', now + window)
  else
    forgetSilent(seen == 0)
  end
  redis.call('HSET', STATE, 'seen', now)
  if divisor > 0 then
    redis.call('HSET', SHARES, me, divisor)
    redis.call('HDEL', LENT, me)
    if lentUntil > now - window then redis.call('HSET', LENT, me, math.min(lentUntil, now + ${LOAN_MS})) end
  end
  -- The shares of all members are the whole limit.
  if stateTime('settle') > now and claimed() > 2 - ALL then
    redis.call('HDEL', STATE, 'settle')
    redis.call('PUBLISH', NEWS, 'beat')
  end
  -- The member does not know any more which request was its probe.
  for name in pairs(logs) do
    if state(name .. ':probe') == me then redis.call('HSET', STATE, name .. ':probe', 'due') end
  end
end
redis.call('ZADD', MEMBERS, now, me)
if ARGV[4] ~= '' and tonumber(ARGV[4]) < rate() then redis.call('HSET', STATE, 'rate', ARGV[4], 'stepped', now) end
for index = 7, #ARGV, 3 do
  local at = now - math.max(0, tonumber(ARGV[index + 2]))
  if at > now - window then
    local place = me .. ':' .. (ARGV[index] == 'clone' and 'c' or 'g') .. ARGV[index + 1]
    for _, log in ipairs(chains[ARGV[index]]) do put(log, place, at) end
  end
end
keep()
return { math.max(0, stateTime('settle') - now) }
`);

/**
 * A sign of life. Arguments: member, window, divisor of its share (0: none yet), time until which the member lends it or 0.
 * Reply: [1 if Redis knows the member, members, rate, milliseconds without credits, milliseconds of the pause of general, of clone,
 * time of Redis, new divisor, 1 if the share belongs to the member, 1 if others need loans].
 * Redis keeps the larger share until the member has reported the smaller one.
 */
export const beatScript = limitScript(`
local former, lentUntil = tonumber(ARGV[3] or 0), tonumber(ARGV[4] or 0)
local isKnown = redis.call('ZSCORE', MEMBERS, me) and 1 or 0
local divisor, ownsShare = former, 0

local function beat()
  redis.call('ZADD', MEMBERS, now, me)
  forgetSilent(false)
  redis.call('HSET', STATE, 'seen', now)
  local stored = redis.call('HGET', SHARES, me)
  if former == 0 then redis.call('HSET', LENT, me, now) end
  if former > 0 then redis.call('HSET', SHARES, me, former) elseif not stored then redis.call('HSET', SHARES, me, 1) end
  local all = redis.call('HLEN', SHARES)
  if lentUntil > now then redis.call('HSET', LENT, me, math.min(lentUntil, now + ${LOAN_MS})) end
  local lent = redis.call('HGET', LENT, me)
  if former == 0 or (former > all and (lent or fits(all))) then redis.call('HSET', SHARES, me, all) end
  if former == 0 or former < all or redis.call('HGET', SHARES, me) == tostring(all) then divisor = all end
  if lent and lentUntil == 0 and (tonumber(lent) <= now - window or fits(divisor)) then redis.call('HDEL', LENT, me) end
  ownsShare = redis.call('HGET', LENT, me) and 0 or 1
  if stored ~= redis.call('HGET', SHARES, me) then redis.call('PUBLISH', NEWS, 'beat') end
  if lentUntil > now then redis.call('PUBLISH', NEWS, 'turn') end
end
if isKnown == 1 then beat() end
keep()
return {
  isKnown,
  redis.call('ZCOUNT', MEMBERS, now - ${MEMBER_MS}, '+inf'),
  rate(),
  math.max(0, redis.call('PTTL', CREDITS)),
  math.max(0, stateTime('general:paused') - now),
  math.max(0, stateTime('clone:paused') - now),
  now,
  divisor,
  ownsShare,
  now - stateTime('demand') < ${DEMAND_MS} and 1 or 0,
}
`);

/** Ends the membership. Arguments: member, window. */
export const leaveScript = limitScript(`
forget(me)
for _, log in pairs(logs) do redis.call('ZREM', log.waiting, me) end
redis.call('PUBLISH', NEWS, 'turn')
redis.call('PUBLISH', NEWS, 'beat')
return 1
`);

/** Pauses a bucket. Arguments: member, window, bucket, milliseconds. */
export const pauseScript = limitScript(`
local name, milliseconds = ARGV[3], tonumber(ARGV[4])
local paused = math.max(stateTime(name .. ':paused'), now + milliseconds)
redis.call('HSET', STATE, name .. ':paused', paused, name .. ':probe', 'due')
redis.call('PUBLISH', NEWS, 'pause ' .. name .. ' ' .. math.max(0, paused - now))
keep()
return 1
`);

/** Ends the probe of a member. Arguments: member, window, bucket, `due` if the member sent no request. */
export const probedScript = limitScript(`
for _, log in ipairs(chains[ARGV[3]]) do
  local field = log.name .. ':probe'
  if state(field) == me then
    if ARGV[4] == 'due' then redis.call('HSET', STATE, field, 'due') else redis.call('HDEL', STATE, field) end
  end
end
redis.call('PUBLISH', NEWS, 'turn')
return 1
`);

/** Lowers the automatic rate, unless it was lowered after the request was sent. Arguments: member, window, age of the request. */
export const stepScript = limitScript(`
if now - tonumber(ARGV[3]) > stateTime('stepped') then
  for _, lower in ipairs(RATES) do
    if lower < rate() then
      redis.call('HSET', STATE, 'rate', lower, 'stepped', now)
      break
    end
  end
  redis.call('PUBLISH', NEWS, 'rate ' .. rate())
  keep()
end
return rate()
`);

/** Reports that the account has no credits for some milliseconds, or that it has credits. Arguments: member, window, milliseconds or 0. */
export const creditsScript = limitScript(`
local milliseconds = tonumber(ARGV[3])
local changed = 1
if milliseconds > 0 then redis.call('SET', CREDITS, 1, 'PX', milliseconds) else changed = redis.call('DEL', CREDITS) end
if changed ~= 0 then redis.call('PUBLISH', NEWS, 'credits ' .. milliseconds) end
return 1
`);
