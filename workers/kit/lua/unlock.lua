-- Let go of a lock, unless it expired and somebody else took it.
-- KEYS: lock.  ARGV: our token.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
