import { asText, type JsonObject } from '../../dialects/json.ts'

/** Midjourney does no more at once. */
const MOST = 40
/** How often the prompt is to be drawn, and of how many films a batch is. */
const repeated = /(?<!\S)(?:--|—)(?:repeat|r)\s+(\d{1,9})(?!\S)/gi
const filmed = /(?<!\S)(?:--|—)bs\s+(\d{1,9})(?!\S)/gi

/** How many jobs a submission asks for, each of which takes what one does of the upstream's account. */
export function repeatsIn({ prompt, batchSize }: JsonObject): number {
  const text = asText(prompt) ?? ''
  const batch = typeof batchSize === 'number' || typeof batchSize === 'string' ? Number(batchSize) : 0
  return within(largestIn(text, repeated)) * Math.max(within(largestIn(text, filmed)), within(batch))
}

/** The largest: whichever of several is heeded, it is paid. */
function largestIn(text: string, pattern: RegExp): number {
  return Math.max(0, ...Array.from(text.matchAll(pattern), ([, count]) => Number(count)))
}

function within(count: number): number {
  return Number.isFinite(count) ? Math.min(MOST, Math.max(1, Math.ceil(count))) : 1
}
