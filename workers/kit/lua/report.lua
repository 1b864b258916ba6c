-- Report once: append the result, close the attempt and settle the start, all or nothing.
-- KEYS: fence, starts, beat, results stream.
-- ARGV: job id, attempt, whether the start was counted, seconds the fence lives, then the fields of
-- the entry as name, value, ...
-- Returns the id of the entry, or nothing when a newer attempt holds the job. A result of the same
-- attempt is welcome from any worker: merging is idempotent, and finished work is not thrown away.
-- When the fence is gone (Redis lost it, or the job was merged) the coordinator is the judge.
local attempt = tonumber(ARGV[2])
local held = redis.call('GET', KEYS[1])
local holder = held and tonumber(string.match(held, '^(%d+):')) or attempt
if holder > attempt then
  return false
end
local entry = redis.call('XADD', KEYS[4], '*', unpack(ARGV, 5))
redis.call('SET', KEYS[1], string.format('%d:closed', attempt), 'EX', ARGV[4])
redis.call('DEL', KEYS[3])
local starts = tonumber(redis.call('HGET', KEYS[2], ARGV[1]))
if ARGV[3] == '1' and starts and starts > 0 then
  redis.call('HINCRBY', KEYS[2], ARGV[1], -1)
end
return entry
