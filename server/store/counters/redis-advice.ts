const advice: readonly (readonly [RegExp, string])[] = [
  [
    /\b(CROSSSLOT|MOVED|ASK|CLUSTERDOWN)\b/,
    'REDIS_URL leads to a Redis in cluster mode, in which keys that belong together are apart: name one that is not',
  ],
  [/\bREADONLY\b/, 'REDIS_URL leads to a replica, which takes no writes: name its primary'],
  [/\bOOM\b/, 'this Redis is full: raise its maxmemory, or set a maxmemory-policy by which it makes room'],
  [/\bMISCONF\b/, 'this Redis takes no writes because it cannot save to its disk'],
  [
    /\b(NOPERM|ACL failure|can't run this command|can't access)\b/i,
    'the account in REDIS_URL may not do all that is needed: give it ~tollgate:* &tollgate:* +@all',
  ],
]

/** What to do where Redis answers and will not do what it is asked; undefined where its own words are all there is. */
export function redisAdvice(error: unknown): string | undefined {
  const said = error instanceof Error ? error.message : String(error)
  return advice.find(([pattern]) => pattern.test(said))?.[1]
}
