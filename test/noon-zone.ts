const HOUR = 3600
const DAY = 24 * HOUR
const east = 12 - new Date().getUTCHours()

/** Where it is about noon when a test file begins: no day, month or year ends there while its tests run. */
export const noonZone = east === 0 ? 'UTC' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`

/** When the day that it is there began, in seconds. */
export function noonZoneMidnight(): number {
  return Math.floor((Date.now() / 1000 + east * HOUR) / DAY) * DAY - east * HOUR
}
