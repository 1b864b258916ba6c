-- Stay in office (milliseconds > 0) or leave it (0), if it is still ours.
-- KEYS: office, epoch.  ARGV: holder, epoch, milliseconds.
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return 0
end
if ARGV[3] == '0' then
  return redis.call('DEL', KEYS[1])
end
return redis.call('PEXPIRE', KEYS[1], ARGV[3])
