const two = (value: number) => String(value).padStart(2, '0')

/** Seconds since 1970 as local date and time; a dash where there is none. */
export function formatTime(seconds: number): string {
  if (!seconds || seconds < 0) return '–'
  const time = new Date(seconds * 1000)
  return `${formatDay(time)} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
}

/** To the minute, for lists where seconds would only be noise. */
export function formatMinute(seconds: number): string {
  return formatTime(seconds).slice(0, 16)
}

export function formatDay(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** Kept: making one takes fifty times as long as using it, and a scrolled table uses it for every cell. */
const counts = new Intl.NumberFormat('en-US')

export function formatCount(value: number): string {
  return counts.format(value)
}

const ratios = new Intl.NumberFormat('en-US', {
  maximumFractionDigits: 4,
  maximumSignificantDigits: 4,
  roundingPriority: 'morePrecision',
})

/** A factor as people write it: without the noise of binary fractions, and never as nothing where it is something. */
export function formatRatio(value: number): string {
  return ratios.format(value)
}

/** Milliseconds as people read a wait. */
export function formatMilliseconds(value: number): string {
  if (value < 999.5) return `${Math.round(value)} ms`
  return `${(value / 1000).toFixed(value < 9_995 ? 2 : 1)} s`
}
