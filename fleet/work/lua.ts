/**
 * Functions of the scripts of tasks. These keys hold the state:
 *
 * - `TASKS:index` sorted set: task id, time of expiry; `TASKS:sizes` hash: task id, bytes; `TASKS:bytes`: their sum
 * - `TASKS:members` sorted set: serving member, time of expiry
 * - `TASKS:w:ID` sorted set: submitter that waits for the task, time of expiry
 * - `TASKS:waiting` sorted set: task that no member does, time from which a member may start it
 * - `TASKS:running` sorted set: task that a member does, time at which its lock ends
 * - `TASKS:j:ID` hash: `data` (id of the task as JSON), `chunks`, `member` that has the lock, `tries` that failed, and `stalls`:
 *   locks that ended
 * - `TASKS:r:ID` hash: `state` (`done` or `failed`), `text` (JSON), `data` (id of the audio), `chunks`
 * - `TASKS:d:DATA` hash: chunks of a task or of audio
 *
 * The channel TASKS gets the announcements `STATE ID`. TASKS has the hash tag of the account, so all keys are in one slot. Each
 * script gets TASKS as its only key. Times are Redis times in milliseconds.
 *
 * A full Redis refuses a script only before its first write. Therefore the first write of `enter`, `poll` and `attend` adds data.
 */
export const start = `
local T = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local index, sizes, bytes = T .. ':index', T .. ':sizes', T .. ':bytes'
local waiting, running = T .. ':waiting', T .. ':running'

local function resize(id, size)
  local old = tonumber(redis.call('HGET', sizes, id) or '0')
  if size == 0 then redis.call('HDEL', sizes, id) else redis.call('HSET', sizes, id, size) end
  redis.call('INCRBY', bytes, size - old)
end

local function forget(id)
  resize(id, 0)
  redis.call('ZREM', index, id)
end

local function remove(record)
  local data = redis.call('HGET', record, 'data')
  if data then redis.call('DEL', T .. ':d:' .. data) end
  redis.call('DEL', record)
end

local function drop(id)
  remove(T .. ':r:' .. id)
  forget(id)
end

local function isJob(id)
  if redis.call('EXISTS', T .. ':j:' .. id) == 0 then return false end
  return redis.call('ZSCORE', waiting, id) or redis.call('ZSCORE', running, id)
end

local function extendJob(id, ms)
  local job = T .. ':j:' .. id
  local data = redis.call('HGET', job, 'data')
  if data then redis.call('PEXPIRE', T .. ':d:' .. data, ms) end
  redis.call('PEXPIRE', job, ms)
end

local function endJob(id)
  remove(T .. ':j:' .. id)
  redis.call('ZREM', waiting, id)
  redis.call('ZREM', running, id)
end

local function isWanted(id) return redis.call('ZCOUNT', T .. ':w:' .. id, now, '+inf') > 0 end

local function isServed() return redis.call('ZCOUNT', T .. ':members', now, '+inf') > 0 end

local function register(id, submitter, ms)
  redis.call('ZADD', T .. ':w:' .. id, now + ms, submitter)
  redis.call('PEXPIRE', T .. ':w:' .. id, ms)
  extendJob(id, ms)
end
`;

/** Frees the room of expired entries, then of results that no submitter waits for. Returns whether `size` bytes fit. */
export const makeRoom = `
local function total() return tonumber(redis.call('GET', bytes) or '0') end

local function makeRoom(size, limit)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', 0, 1000)) do forget(id) end
  if total() + size <= limit then return true end
  for _, id in ipairs(redis.call('ZRANGE', index, 0, 199)) do
    if redis.call('EXISTS', T .. ':r:' .. id) == 1 and not isWanted(id) then drop(id) end
    if total() + size <= limit then return true end
  end
  return false
end
`;
