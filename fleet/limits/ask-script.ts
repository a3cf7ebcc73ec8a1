import { limitScript, MEMBER_MS } from './lua.js';

/** Milliseconds for which a member counts as waiting after it asked for a place. */
const WAITING_MS = 2500;
/** Milliseconds until a member asks again if it is not its turn. */
export const TURN_MS = 15;
/** The first moments after an empty window, as a divisor of the window: about a second of a minute. */
export const FIRST_MOMENTS = 60;
/** Milliseconds between two calls for loans. */
const CALL_MS = 200;

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
    if one < 0 then return wait > 0 and wait or -1 end
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
