import { timingSafeEqual } from 'node:crypto'

/** Whether a code, a proof or a signature is the right one. How long it takes tells nothing of where they differ. */
export function isSameSecret(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
