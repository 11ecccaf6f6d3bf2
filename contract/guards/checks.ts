/** The check digit of payment cards (Luhn's). */
export function hasCardCheck(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const weighed = at % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

const idWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const idChecks = '10X98765432'

/** The check sign of resident ids of mainland China (GB 11643). */
export function hasIdCheck(found: string): boolean {
  const sum = idWeights.reduce((total, weight, at) => total + weight * Number(found[at]), 0)
  return idChecks[sum % 11] === found[17]?.toUpperCase()
}

/** Whether it is an IPv6 address; those that names in programs look like (`a::b`) are none here. */
export function isAddressOfSix(found: string): boolean {
  const halves = found.split('::')
  const groups = found.split(':').filter(group => group !== '')
  if (halves.length > 2 || found.includes(':::')) return false
  if (halves.length === 1) return groups.length === 8 && !found.startsWith(':') && !found.endsWith(':')
  return groups.length >= 3 && groups.length <= 7
}

const SHORTEST_IBAN = 15

/** How long the account number is that stands at the beginning: words in capitals may follow it. */
export function lengthOfIban(found: string): number {
  for (let length = found.length; length >= SHORTEST_IBAN; length = found.lastIndexOf(' ', length - 1))
    if (hasIbanCheck(found.slice(0, length))) return length
  return 0
}

/** ISO 7064, mod 97-10. */
function hasIbanCheck(found: string): boolean {
  const plain = found.replaceAll(' ', '')
  if (plain.length < SHORTEST_IBAN || plain.length > 34) return false
  let rest = 0
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
