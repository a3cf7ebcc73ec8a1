import { scriptOf } from '../redis/script.js';
import { makeRoom, start } from './lua.js';

/**
 * Registers a submitter of a task. A stored result stays, a stored failure is removed.
 * Arguments: id, submitter, submitter's time, bytes to reserve, limit of all bytes.
 * Returns `done`, `queued`, `missing` if the submitter must add the task, `full`, or `apart` if no member serves.
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
return isJob(id) and 'queued' or 'missing'
`;

/** Adds a task whose data is stored, unless another submitter has added it. Arguments: id, data, chunks, time of life. */
const add = `${start}
local id, data = ARGV[1], ARGV[2]
if isJob(id) then
  redis.call('DEL', T .. ':d:' .. data)
  return 0
end
remove(T .. ':j:' .. id)
redis.call('HSET', T .. ':j:' .. id, 'data', data, 'chunks', ARGV[3])
extendJob(id, tonumber(ARGV[4]))
redis.call('ZADD', waiting, now, id)
redis.call('PUBLISH', T, 'queued ' .. id)
return 1
`;

/**
 * Gives a task to a member. A task whose lock has ended comes first. A task without a submitter is dropped.
 * Arguments: member, time of the lock, longest pause.
 * Returns id, data, chunks, tries and stalls, or the pause in milliseconds after which to ask again.
 */
const take = `${start}
local member, lockMs = ARGV[1], tonumber(ARGV[2])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', running, '-inf', now, 'LIMIT', 0, 100)) do
  redis.call('ZREM', running, id)
  if redis.call('EXISTS', T .. ':j:' .. id) == 1 then
    redis.call('HINCRBY', T .. ':j:' .. id, 'stalls', 1)
    redis.call('ZADD', waiting, 0, id)
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', waiting, '-inf', now, 'LIMIT', 0, 100)) do
  local job = T .. ':j:' .. id
  if redis.call('EXISTS', job) == 1 and isWanted(id) then
    redis.call('ZREM', waiting, id)
    redis.call('ZADD', running, now + lockMs, id)
    redis.call('HSET', job, 'member', member)
    return {id, unpack(redis.call('HMGET', job, 'data', 'chunks', 'tries', 'stalls'))}
  end
  endJob(id)
end
local due = now + tonumber(ARGV[3])
for _, set in ipairs({waiting, running}) do
  local first = redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')
  if first[2] then due = math.min(due, tonumber(first[2])) end
end
return math.ceil(due - now)
`;

/**
 * Gives a running task back. It is the first in line, unless it has to pause.
 * Arguments: id, member, pause, tries that failed.
 */
const release = `${start}
local id, pause = ARGV[1], tonumber(ARGV[3])
local job = T .. ':j:' .. id
if redis.call('HGET', job, 'member') ~= ARGV[2] or redis.call('ZREM', running, id) == 0 then return 0 end
redis.call('HSET', job, 'member', '', 'tries', ARGV[4])
redis.call('ZADD', waiting, pause == 0 and 0 or now + pause, id)
redis.call('PUBLISH', T, 'queued ' .. id)
return 1
`;

/**
 * Keeps a submitter registered, and returns the states of its tasks: `done`, `failed`, `queued`, `missing`, or `apart` if no
 * member serves. Arguments: submitter, its time, ids.
 */
const poll = `${start}
local submitter, ms = ARGV[1], tonumber(ARGV[2])
local served = isServed()
local states = {}
for i = 3, #ARGV do
  local id = ARGV[i]
  local state = redis.call('HGET', T .. ':r:' .. id, 'state')
  register(id, submitter, ms)
  if not state then
    redis.call('ZADD', index, now + ms, id)
    state = not served and 'apart' or isJob(id) and 'queued' or 'missing'
  end
  states[#states + 1] = state
end
return states
`;

/** Returns state, text, audio id and number of chunks of a result. Argument: id. */
const read = `${start}
return redis.call('HMGET', T .. ':r:' .. ARGV[1], 'state', 'text', 'data', 'chunks')
`;

/** Returns a chunk. Arguments: data, number. */
const readChunk = `${start}
return redis.call('HGET', T .. ':d:' .. ARGV[1], ARGV[2])
`;

/** Stores a chunk. Arguments: data, number, bytes, time of life. */
const writeChunk = `${start}
redis.call('HSET', T .. ':d:' .. ARGV[1], ARGV[2], ARGV[3])
redis.call('PEXPIRE', T .. ':d:' .. ARGV[1], ARGV[4])
return 1
`;

/**
 * Ends the wait of a submitter. If no other submitter waits, removes the result, and stops a task without a result.
 * Arguments: id, submitter.
 */
const leave = `${start}
local id = ARGV[1]
redis.call('ZREM', T .. ':w:' .. id, ARGV[2])
if isWanted(id) then return 0 end
if redis.call('EXISTS', T .. ':r:' .. id) == 0 then redis.call('PUBLISH', T, 'cancelled ' .. id) end
endJob(id)
drop(id)
return 1
`;

/**
 * Stores the result or the failure of a task and announces it. The first result stays. A member that has lost the lock stores
 * no failure: another one does the task. Arguments: id, member, state, text, audio id, chunks, bytes, time of life.
 */
const finish = `${start}
local id, member, state, text, data, chunks, size, ms = unpack(ARGV)
local record, job = T .. ':r:' .. id, T .. ':j:' .. id
local lost = state == 'failed' and redis.call('HGET', job, 'member') ~= member
if lost or redis.call('HGET', record, 'state') == 'done' then
  redis.call('DEL', T .. ':d:' .. data)
  return 0
end
endJob(id)
redis.call('HSET', record, 'state', state, 'text', text, 'data', data, 'chunks', chunks)
redis.call('PEXPIRE', record, ms)
redis.call('PEXPIRE', T .. ':d:' .. data, ms)
resize(id, tonumber(size))
redis.call('ZADD', index, now + ms, id)
redis.call('PUBLISH', T, state .. ' ' .. id)
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

/**
 * Registers a serving member and renews the locks of its tasks, or removes the member if the time is 0.
 * Arguments: member, its time, time of a lock, time of a submitter, ids.
 */
const attend = `${start}
local member, ms, lockMs, jobMs = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if ms == 0 then return redis.call('ZREM', T .. ':members', member) end
redis.call('ZADD', T .. ':members', now + ms, member)
redis.call('ZREMRANGEBYSCORE', T .. ':members', '-inf', now)
for i = 5, #ARGV do
  local id = ARGV[i]
  if redis.call('HGET', T .. ':j:' .. id, 'member') == member and redis.call('ZSCORE', running, id) then
    redis.call('ZADD', running, now + lockMs, id)
    redis.call('ZADD', index, 'XX', now + jobMs, id)
    extendJob(id, jobMs)
  end
end
return 1
`;

/** The scripts by name. */
export const workScripts = {
  enter: scriptOf(enter),
  add: scriptOf(add),
  take: scriptOf(take),
  release: scriptOf(release),
  poll: scriptOf(poll),
  read: scriptOf(read),
  readChunk: scriptOf(readChunk),
  writeChunk: scriptOf(writeChunk),
  leave: scriptOf(leave),
  finish: scriptOf(finish),
  reserve: scriptOf(reserve),
  attend: scriptOf(attend),
};

export type WorkScript = keyof typeof workScripts;
