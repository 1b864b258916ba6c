-- Take the office of coordinator.
-- KEYS: office, epoch.  ARGV: holder, milliseconds, an epoch to be above, whom to succeed (or '').
-- Returns {1, epoch} | {0, who holds it}.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] and holder ~= ARGV[4] then
  return { 0, holder }
end
local epoch = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[3])) + 1
redis.call('SET', KEYS[2], epoch)
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return { 1, epoch }
