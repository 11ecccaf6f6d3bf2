const HOUR = 3600
const DAY = 24 * HOUR

/**
 * The window of a list. When its filters name none: back to midnight or for a month, and an hour ahead. A start
 * below 0 is so many seconds back from now.
 */
export function windowOf(
  { start, end }: { start?: number; end?: number },
  back: 'midnight' | 'month',
  now = new Date(),
): { start: number; end: number } {
  const seconds = Math.floor(now.getTime() / 1000)
  // To the hour, so that the same list is not asked for under another name every second.
  const hour = Math.floor(seconds / HOUR) * HOUR
  const midnight = Math.floor(new Date(now).setHours(0, 0, 0, 0) / 1000)
  const minute = Math.floor(seconds / 60) * 60
  const named = start !== undefined && start < 0 ? Math.max(0, minute + start) : start
  return {
    start: named ?? (back === 'midnight' ? midnight : hour - 30 * DAY),
    end: end ?? hour + 2 * HOUR,
  }
}
