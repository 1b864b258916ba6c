-- Begin a job: take the fence and count the start, or say why not.
-- KEYS: fence, starts.  ARGV: job id, attempt, token, allowed starts, seconds the keys live.
-- Returns 'held' | 'old' | 'spent'. The token is new for each start, so that the second of two calls
-- for the same start is told from a second start.
local attempt = tonumber(ARGV[2])
local fence = string.format('%d:%s', attempt, ARGV[3])
local held = redis.call('GET', KEYS[1])
if held == fence then
  return 'held'
end
if held then
  local holder, last = string.match(held, '^(%d+):(%w+)$')
  holder = tonumber(holder) or 0
  if holder > attempt or (holder == attempt and last == 'closed') then
    return 'old'
  end
end
local starts = redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
redis.call('EXPIRE', KEYS[2], ARGV[5])
if starts > tonumber(ARGV[4]) then
  redis.call('HINCRBY', KEYS[2], ARGV[1], -1)
  return 'spent'
end
redis.call('SET', KEYS[1], fence, 'EX', ARGV[5])
return 'held'
