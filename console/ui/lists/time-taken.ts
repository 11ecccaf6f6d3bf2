const MINUTE = 60
const HOUR = 3600
/** So long seconds tell more than minutes. */
const IN_SECONDS = 5 * MINUTE

/** Seconds, or minutes or hours. */
export function timeTaken(seconds: number): string {
  if (seconds < IN_SECONDS) return `${seconds.toFixed(0)} s`
  return seconds < HOUR ? `${(seconds / MINUTE).toFixed(0)} min` : `${(seconds / HOUR).toFixed(1)} h`
}
