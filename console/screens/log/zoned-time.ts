import { formatTime } from '../../format.ts'

/** With its zone, since it is read beside what others wrote down. */
export function formatZonedTime(seconds: number): string {
  return `${formatTime(seconds)} ${zoneOf(new Date(seconds * 1000).getTimezoneOffset())}`
}

/** By the minutes that it is behind: UTC+8, UTC-3:30. */
export function zoneOf(behind: number): string {
  if (behind === 0) return 'UTC'
  const [hours, minutes] = [Math.floor(Math.abs(behind) / 60), Math.abs(behind) % 60]
  return `UTC${behind < 0 ? '+' : '-'}${hours}${minutes > 0 ? `:${String(minutes).padStart(2, '0')}` : ''}`
}
