/**
 * Whom an address is counted as. Whoever has one of IPv6 has a network of 2⁶⁴ of them, and would otherwise come from
 * another with every call.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const first = groupsIn(head)
  const missing = tail === undefined ? 0 : 8 - first.length - groupsIn(tail).length
  const groups = [...first, ...new Array<string>(Math.max(0, missing)).fill('0'), ...groupsIn(tail ?? '')]
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function groupsIn(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
