import { plainNumber } from '../../plain-number.ts'

/** A whole amount as typed; any below 1 is raised to 1, and what is no number is none. */
export function readAmount(text: string): number | undefined {
  const plain = plainNumber(text)
  if (!/^-?\d{1,15}(\.\d*)?$/.test(plain)) return undefined
  return Math.max(1, Math.trunc(Number(plain)))
}
