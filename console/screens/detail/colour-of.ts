import { OTHERS } from './series.ts'

/** By rank; the palette is in detail.module.css. */
export function colourOf(rank: number, key: string): string {
  return key === OTHERS ? 'var(--series-others)' : `var(--series-${rank + 1})`
}
