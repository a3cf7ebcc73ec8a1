import type { Redis } from '../redis/redis.js';
import { limitScript, LOAN_MS, MEMBER_MS } from './lua.js';

/** Milliseconds after which members no longer renew their loans. */
const DEMAND_MS = 2500;

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
 * Reports the places of a member: those taken while it was apart, and all others in the window, in case Redis lost them.
 * Arguments: member, window, `seen` of the member's last sign of life (0 for a new member, '' to report only places), rate after
 * steps while it was apart or '', divisor of its share (0: none yet), time until which it lends the share or 0, then for each place:
 * bucket, number, age in milliseconds.
 * Reply: [milliseconds for which the fleet waits for members that have not reported to a Redis that lost its data, time of Redis].
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
    -- A loan of a longer time is of a clock that was set back: when it ends is not known.
    if lentUntil > now + ${LOAN_MS} then lentUntil = now end
    if lentUntil > now - window then redis.call('HSET', LENT, me, lentUntil) end
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
return { math.max(0, stateTime('settle') - now), now }
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
  -- A renewed loan frees no place.
  local isNewLoan = lentUntil > now and tonumber(redis.call('HGET', LENT, me) or 0) <= now
  if lentUntil > now then redis.call('HSET', LENT, me, math.min(lentUntil, now + ${LOAN_MS})) end
  local lent = redis.call('HGET', LENT, me)
  if former == 0 or (former > all and (lent or fits(all))) then redis.call('HSET', SHARES, me, all) end
  if former == 0 or former < all or redis.call('HGET', SHARES, me) == tostring(all) then divisor = all end
  if lent and lentUntil == 0 and (tonumber(lent) <= now - window or fits(divisor)) then redis.call('HDEL', LENT, me) end
  ownsShare = redis.call('HGET', LENT, me) and 0 or 1
  if stored ~= redis.call('HGET', SHARES, me) then redis.call('PUBLISH', NEWS, 'beat') end
  if isNewLoan then redis.call('PUBLISH', NEWS, 'turn') end
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
