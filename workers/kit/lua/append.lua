-- Append checkpoints, if the job is still ours; asked twice, it appends once.
-- KEYS: fence, checkpoints.  ARGV: our fence, how long the list was, seconds it lives, entries...
-- Returns the new length, or -1 when the job or the list is no longer ours.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return -1
end
local had, has = tonumber(ARGV[2]), redis.call('LLEN', KEYS[2])
local entries = #ARGV - 3
if has == had + entries then
  return has
end
if has ~= had then
  return -1
end
local length = redis.call('RPUSH', KEYS[2], unpack(ARGV, 4))
redis.call('EXPIRE', KEYS[2], ARGV[3])
return length
