import type { Tone } from '../../ui/content/tag.tsx'

/** Seconds in all. */
export function toneOfUseTime(seconds: number): Tone {
  if (seconds < 101) return 'green'
  return seconds < 300 ? 'orange' : 'red'
}

/** Milliseconds until the first token. */
export function toneOfFirstToken(milliseconds: number): Tone {
  if (milliseconds < 3000) return 'green'
  return milliseconds < 10_000 ? 'orange' : 'red'
}

export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 100 ? 2 : 1)} s`
}
