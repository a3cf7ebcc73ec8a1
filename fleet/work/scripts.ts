import { scriptOf } from '../redis/script.js';

/**
 * Scripts of the tasks in Redis. BullMQ passes tasks to members, renews locks and repeats tasks. These keys hold the state:
 *
 * - `TASKS:index` sorted set: task id, time of expiry; `TASKS:sizes` hash: task id, bytes; `TASKS:bytes`: their sum
 * - `TASKS:members` sorted set: serving member, time of expiry
 * - `TASKS:w:ID` sorted set: submitter that waits for the task, time of expiry
 * - `TASKS:r:ID` hash: `state` (`done` or `failed`), `text` (JSON), `data` (id of the audio), `chunks`
 * - `TASKS:d:DATA` hash: chunks of the audio
 *
 * The channel TASKS gets the announcements `STATE ID`. TASKS has the hash tag of the account, so all keys are in one slot. Each
 * script gets TASKS as its only key. Times are Redis times in milliseconds.
 */
const start = `
local T = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local index, sizes, bytes = T .. ':index', T .. ':sizes', T .. ':bytes'

local function resize(id, size)
  local old = tonumber(redis.call('HGET', sizes, id) or '0')
  if size == 0 then redis.call('HDEL', sizes, id) else redis.call('HSET', sizes, id, size) end
  redis.call('INCRBY', bytes, size - old)
end

local function forget(id)
  resize(id, 0)
  redis.call('ZREM', index, id)
end

local function drop(id)
  local data = redis.call('HGET', T .. ':r:' .. id, 'data')
  if data then redis.call('DEL', T .. ':d:' .. data) end
  redis.call('DEL', T .. ':r:' .. id)
  forget(id)
end

local function isWanted(id)
  redis.call('ZREMRANGEBYSCORE', T .. ':w:' .. id, '-inf', now)
  return redis.call('EXISTS', T .. ':w:' .. id) == 1
end

local function register(id, submitter, ms)
  redis.call('ZADD', T .. ':w:' .. id, now + ms, submitter)
  redis.call('PEXPIRE', T .. ':w:' .. id, ms)
end

local function isServed()
  redis.call('ZREMRANGEBYSCORE', T .. ':members', '-inf', now)
  return redis.call('EXISTS', T .. ':members') == 1
end
`;

/** Frees the room of expired entries, then of results that no submitter waits for. Returns whether `size` bytes fit. */
const makeRoom = `
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

/**
 * Registers a submitter of a task. A stored result stays, a stored failure is removed.
 * Arguments: id, submitter, submitter's time, bytes to reserve, limit of all bytes.
 * Returns `done`, `queued`, `full`, or `apart` if no member serves.
 */
const enter = `${start}${makeRoom}
local id, submitter, ms, size, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local state = redis.call('HGET', T .. ':r:' .. id, 'state')
if state == 'done' then
  register(id, submitter, ms)
  return 'done'
end
if state then drop(id) end
if not isServed() then return 'apart' end
if not redis.call('ZSCORE', index, id) then
  if not makeRoom(size, limit) then return 'full' end
  resize(id, size)
end
redis.call('ZADD', index, now + ms, id)
register(id, submitter, ms)
return 'queued'
`;

/**
 * Keeps a submitter registered, and returns the states of its tasks: `done`, `failed`, `queued`, `missing` if BullMQ has no
 * job for the task, or `apart` if no member serves.
 * Arguments: submitter, its time, BullMQ's key of a job without the id, ids.
 */
const poll = `${start}
local submitter, ms, jobs = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local served = isServed()
local states = {}
for i = 4, #ARGV do
  local id = ARGV[i]
  local state = redis.call('HGET', T .. ':r:' .. id, 'state')
  register(id, submitter, ms)
  if not state then
    redis.call('ZADD', index, now + ms, id)
    state = not served and 'apart' or redis.call('EXISTS', jobs .. id) == 1 and 'queued' or 'missing'
  end
  states[#states + 1] = state
end
return states
`;

/** Returns state, text, audio id and number of chunks of a result. Argument: id. */
const read = `${start}
return redis.call('HMGET', T .. ':r:' .. ARGV[1], 'state', 'text', 'data', 'chunks')
`;

/** Returns a chunk of audio. Arguments: audio id, number. */
const readChunk = `${start}
return redis.call('HGET', T .. ':d:' .. ARGV[1], ARGV[2])
`;

/** Stores a chunk of audio. Arguments: audio id, number, bytes, time of life. */
const writeChunk = `${start}
redis.call('HSET', T .. ':d:' .. ARGV[1], ARGV[2], ARGV[3])
redis.call('PEXPIRE', T .. ':d:' .. ARGV[1], ARGV[4])
return 1
`;

/**
 * Ends the wait of a submitter. If no other submitter waits, removes the result, and stops a task without a result.
 * Arguments: id, submitter, channel. Returns whether the task has to be removed from BullMQ.
 */
const leave = `${start}
local id = ARGV[1]
redis.call('ZREM', T .. ':w:' .. id, ARGV[2])
if isWanted(id) then return 0 end
local unfinished = redis.call('EXISTS', T .. ':r:' .. id) == 0
drop(id)
redis.call('PUBLISH', ARGV[3], (unfinished and 'cancelled ' or 'collected ') .. id)
return unfinished and 1 or 0
`;

/** Returns whether a member has to do a task: `go`, `done`, or `unwanted` if no submitter waits. Argument: id. */
const begin = `${start}
local id = ARGV[1]
if redis.call('HGET', T .. ':r:' .. id, 'state') then return 'done' end
if isWanted(id) then return 'go' end
forget(id)
return 'unwanted'
`;

/**
 * Stores the result or the failure of a task and announces it. The first result stays.
 * Arguments: id, state, text, audio id, chunks, bytes, time of life, channel.
 */
const finish = `${start}
local id, state, text, data, chunks, size, ms, channel = unpack(ARGV)
local record = T .. ':r:' .. id
if redis.call('HGET', record, 'state') == 'done' then
  redis.call('DEL', T .. ':d:' .. data)
  return 0
end
redis.call('HSET', record, 'state', state, 'text', text, 'data', data, 'chunks', chunks)
redis.call('PEXPIRE', record, ms)
redis.call('PEXPIRE', T .. ':d:' .. data, ms)
resize(id, tonumber(size))
redis.call('ZADD', index, now + ms, id)
redis.call('PUBLISH', channel, state .. ' ' .. id)
return 1
`;

/** Reserves the room of a result, unless the task has ended. Returns 0 if Redis has no room. Arguments: id, bytes, limit of all bytes. */
const reserve = `${start}${makeRoom}
local id, size = ARGV[1], tonumber(ARGV[2])
local more = size - tonumber(redis.call('HGET', sizes, id) or '0')
if more <= 0 or not redis.call('ZSCORE', index, id) then return 1 end
if not makeRoom(more, tonumber(ARGV[3])) then return 0 end
resize(id, size)
return 1
`;

/** Registers a serving member, or removes it if the time is 0. Arguments: member, its time. */
const attend = `${start}
local ms = tonumber(ARGV[2])
if ms == 0 then redis.call('ZREM', T .. ':members', ARGV[1]) else redis.call('ZADD', T .. ':members', now + ms, ARGV[1]) end
return 1
`;

/** The scripts by name. */
export const workScripts = {
  enter: scriptOf(enter),
  poll: scriptOf(poll),
  read: scriptOf(read),
  readChunk: scriptOf(readChunk),
  writeChunk: scriptOf(writeChunk),
  leave: scriptOf(leave),
  begin: scriptOf(begin),
  finish: scriptOf(finish),
  reserve: scriptOf(reserve),
  attend: scriptOf(attend),
};

export type WorkScript = keyof typeof workScripts;
