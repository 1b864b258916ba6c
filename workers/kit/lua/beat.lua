-- Say that the job is alive, if it is still ours.
-- KEYS: fence, beat.  ARGV: our fence, the beat, milliseconds until it expires.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1
