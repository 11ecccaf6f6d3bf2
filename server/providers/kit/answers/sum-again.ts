const BYTES = 256
const POLYNOMIAL = 0xedb88320

const table = Int32Array.from({ length: BYTES }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? POLYNOMIAL ^ (sum >>> 1) : sum >>> 1
  return sum
})

/**
 * The CRC-32 of anything that has this CRC-32 and is followed by it, high byte first. So bytes can be proved
 * together with the sum behind them: to cut them out first costs as much as to sum them up.
 */
export function sumAgain(sum: number): number {
  let next = ~sum
  for (let shift = 24; shift >= 0; shift -= 8)
    next = (table[(next ^ (sum >>> shift)) & (BYTES - 1)] ?? 0) ^ (next >>> 8)
  return ~next >>> 0
}
