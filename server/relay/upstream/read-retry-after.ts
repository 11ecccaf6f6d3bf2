/** How many seconds an upstream wants to be left alone; it says so in seconds, or by a date of its own clock. */
export function readRetryAfter(headers: Headers): number | undefined {
  const header = headers.get('retry-after')
  if (!header) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const until = Date.parse(header)
  const saidAt = Date.parse(headers.get('date') ?? '')
  const wait = Math.ceil((until - (Number.isNaN(saidAt) ? Date.now() : saidAt)) / 1000)
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
