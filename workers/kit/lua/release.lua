-- Give a job back uncounted: it did not lose its worker.
-- KEYS: fence, starts, beat.  ARGV: job id, our fence.
-- A start that nobody has counted any more (the job was merged) stays uncounted.
local starts = tonumber(redis.call('HGET', KEYS[2], ARGV[1]))
if starts and starts > 0 then
  redis.call('HINCRBY', KEYS[2], ARGV[1], -1)
end
if redis.call('GET', KEYS[1]) == ARGV[2] then
  redis.call('DEL', KEYS[3])
end
return starts or 0
