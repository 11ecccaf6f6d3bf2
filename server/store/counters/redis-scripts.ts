/** A script that Redis runs as one command. */
export interface Script {
  readonly text: string
  readonly sha: string
}

function script(text: string): Script {
  return { text, sha: new Bun.CryptoHasher('sha1').update(text).digest('hex') }
}

/** Redis' own clock, so that nodes need not agree on theirs. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** KEYS: a key. ARGV: milliseconds. How many there have been in this window. */
export const hitScript = script(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count
`)

/**
 * Does to three keys what counting does, all in one: a Redis where that cannot be done (in cluster mode, or by an account
 * of few rights) would answer a single INCR. ARGV: milliseconds.
 */
export const countingProbe = script(`${NOW}
redis.call('INCR', KEYS[1])
redis.call('HSETNX', KEYS[2], 'began', now)
redis.call('HINCRBY', KEYS[2], 'requests', 1)
redis.call('HMGET', KEYS[2], 'requests', 'tokens')
redis.call('HGET', KEYS[2], 'began')
redis.call('ZADD', KEYS[3], now, 'call')
redis.call('ZCARD', KEYS[3])
for i = 1, 3 do
  redis.call('PEXPIRE', KEYS[i], ARGV[1])
  redis.call('PTTL', KEYS[i])
end
redis.call('ZREM', KEYS[3], 'call')
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
return 1
`)

/** KEYS: a key. How many milliseconds are left of its window. */
export const hitEndsScript = script(`return redis.call('PTTL', KEYS[1])`)

/**
 * KEYS: for each limited a hash (its minute: \`began\`, \`requests\`, \`tokens\`) and a sorted set (calls under way,
 * each with the time at which it is forgotten). ARGV: the call's id, lease, minute, tokens; then rpm, tpm and
 * concurrency of each. Answers {index, kind, wait} of the first that refuses, or 0 and {began, requests,
 * tokens, milliseconds left} of each.
 */
export const takeScript = script(`${NOW}
local id, lease, minute, tokens = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local many = #KEYS / 2
for i = 1, many do
  local minuteKey, runningKey = KEYS[i * 2 - 1], KEYS[i * 2]
  local rpm, tpm, most = tonumber(ARGV[i * 3 + 2]), tonumber(ARGV[i * 3 + 3]), tonumber(ARGV[i * 3 + 4])
  if rpm > 0 or tpm > 0 then
    local had = redis.call('HMGET', minuteKey, 'requests', 'tokens')
    local requests, used = tonumber(had[1] or 0), tonumber(had[2] or 0)
    if rpm > 0 and requests >= rpm then return {i, 1, redis.call('PTTL', minuteKey)} end
    if tpm > 0 and used > 0 and (used >= tpm or used + tokens > tpm) then
      return {i, 2, redis.call('PTTL', minuteKey)}
    end
  end
  if most > 0 then
    redis.call('ZREMRANGEBYSCORE', runningKey, '-inf', now)
    if redis.call('ZCARD', runningKey) >= most then return {i, 3, 1000} end
  end
end
local answer = {0}
for i = 1, many do
  local minuteKey, runningKey = KEYS[i * 2 - 1], KEYS[i * 2]
  if redis.call('HSETNX', minuteKey, 'began', now) == 1 then redis.call('PEXPIRE', minuteKey, minute) end
  local requests = redis.call('HINCRBY', minuteKey, 'requests', 1)
  local used = redis.call('HINCRBY', minuteKey, 'tokens', tokens)
  local began = tonumber(redis.call('HGET', minuteKey, 'began'))
  answer[i + 1] = {began, requests, used, redis.call('PTTL', minuteKey)}
  if tonumber(ARGV[i * 3 + 4]) > 0 then
    redis.call('ZADD', runningKey, now + lease, id)
    redis.call('PEXPIRE', runningKey, lease)
  end
end
return answer
`)

/**
 * KEYS as above. ARGV: the call's id or '' when it goes on, minute, tokens to add; then \`began\` of each. What
 * is given back is given back to its own minute only; what was used too much counts now.
 */
export const chargeScript = script(`${NOW}
local id, minute, more = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
for i = 1, #KEYS / 2 do
  local minuteKey = KEYS[i * 2 - 1]
  if id ~= '' then redis.call('ZREM', KEYS[i * 2], id) end
  if more > 0 or (more < 0 and redis.call('HGET', minuteKey, 'began') == ARGV[i + 3]) then
    if redis.call('HSETNX', minuteKey, 'began', now) == 1 then redis.call('PEXPIRE', minuteKey, minute) end
    redis.call('HINCRBY', minuteKey, 'tokens', more)
  end
end
return 1
`)

/** KEYS: a sorted set for each call under way. ARGV: lease, then the calls' ids. */
export const renewScript = script(`${NOW}
local lease = tonumber(ARGV[1])
for i = 1, #KEYS do
  redis.call('ZADD', KEYS[i], now + lease, ARGV[i + 1])
  redis.call('PEXPIRE', KEYS[i], lease)
end
return #KEYS
`)

/**
 * KEYS: an answer, and a sorted set of all of them by when each was last asked for. ARGV: the mark of the one that
 * is here already, or ''. Answers 1 where it is that one; a value begins with its mark.
 */
export const findAnswerScript = script(`${NOW}
local value = redis.call('GET', KEYS[1])
if not value then return nil end
redis.pcall('ZADD', KEYS[2], 'XX', now, KEYS[1])
if ARGV[1] ~= '' and string.sub(value, 1, #ARGV[1]) == ARGV[1] then return 1 end
return value
`)

/**
 * Counts `size` bytes of what KEYS[1] has now, of which all together may have `most`. Where the operator allows much less
 * than before, a thousand go with each that comes: Redis does nothing else meanwhile.
 */
const COUNT_BYTES = `
local sum = redis.call('INCRBY', KEYS[4], size - (redis.call('HGET', KEYS[3], KEYS[1]) or 0))
redis.call('HSET', KEYS[3], KEYS[1], size)
redis.call('ZADD', KEYS[2], now, KEYS[1])
for _ = 1, 1000 do
  if sum <= most then break end
  local oldest = redis.call('ZPOPMIN', KEYS[2])[1]
  if not oldest then break end
  sum = redis.call('DECRBY', KEYS[4], redis.call('HGET', KEYS[3], oldest) or 0)
  redis.call('HDEL', KEYS[3], oldest)
  redis.call('DEL', oldest)
end
for i = 2, 4 do redis.call('EXPIRE', KEYS[i], ARGV[4]) end
return 1
`

/**
 * KEYS: the same, then a hash of how many bytes each has, and their sum. ARGV: the value, for how many seconds, how
 * many bytes all of them may have, and how long the sums are needed. A Redis that is full keeps what it has.
 */
export const keepAnswerScript = script(`${NOW}
local most = tonumber(ARGV[3])
local set = redis.pcall('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
if set.err then return 0 end
local size = #ARGV[1]
${COUNT_BYTES}`)

/**
 * KEYS: a stream of questions that are compared, and the sorted set. ARGV: the last that is known here, and how many
 * there may be. Answers what came after it: id, value, id, value and so on.
 */
export const findLikeScript = script(`${NOW}
redis.pcall('ZADD', KEYS[2], 'XX', now, KEYS[1])
local read = redis.call('XREAD', 'COUNT', ARGV[2], 'STREAMS', KEYS[1], ARGV[1])
local all = {}
if not read then return all end
for _, entry in ipairs(read[1][2]) do
  all[#all + 1] = entry[1]
  all[#all + 1] = entry[2][2]
end
return all
`)

/** KEYS and ARGV as for an answer, then how many may be in the stream: the first go first. */
export const keepLikeScript = script(`${NOW}
local most = tonumber(ARGV[3])
local added = redis.pcall('XADD', KEYS[1], 'MAXLEN', ARGV[5], '*', 'q', ARGV[1])
if type(added) == 'table' and added.err then return 0 end
if redis.call('TTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
local size = redis.call('XLEN', KEYS[1]) * #ARGV[1]
${COUNT_BYTES}`)

/** The same for answers that are kept and questions that are compared: another three keys, and what is done to them. */
export const answersProbe = script(`${NOW}
redis.call('SET', KEYS[1], now, 'EX', 1)
redis.call('GET', KEYS[1])
redis.call('INCRBY', KEYS[1], 1)
redis.call('DECRBY', KEYS[1], 1)
redis.call('ZADD', KEYS[2], now, 'answer')
redis.call('HSET', KEYS[3], 'answer', 1)
redis.call('HGET', KEYS[3], 'answer')
for i = 1, 3 do redis.call('EXPIRE', KEYS[i], 1) end
redis.call('ZPOPMIN', KEYS[2])
redis.call('HDEL', KEYS[3], 'answer')
redis.call('DEL', KEYS[1])
redis.call('XADD', KEYS[1], 'MAXLEN', 1, '*', 'q', '')
redis.call('XREAD', 'COUNT', 1, 'STREAMS', KEYS[1], '0')
redis.call('XLEN', KEYS[1])
redis.call('TTL', KEYS[1])
redis.call('DEL', KEYS[1])
return 1
`)
