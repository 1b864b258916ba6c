-- Remove the waiting messages of one run from a queue; those in flight are left to their workers.
-- KEYS: list of waiting ids, hash of messages.  ARGV: run id.
-- Returns how many were removed. What does not decode is not ours to judge, and stays.
local removed = 0
for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local data = redis.call('HGET', KEYS[2], id)
  local fine, message = pcall(cjson.decode, data or '')
  local job = fine and type(message) == 'table' and message.args and message.args[1]
  if type(job) == 'table' and job.run_id == ARGV[1] then
    redis.call('LREM', KEYS[1], 1, id)
    redis.call('HDEL', KEYS[2], id)
    removed = removed + 1
  end
end
return removed
