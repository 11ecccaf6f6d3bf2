import { BlockList, isIP } from 'node:net'

/** Addresses and networks, one to a line. Something unreadable allows nobody, rather than everybody. */
export function readAddresses(text: string | null): BlockList | undefined {
  const lines = (text ?? '')
    .split(/[\n,]/)
    .map(line => line.trim())
    .filter(Boolean)
  if (lines.length === 0) return undefined
  const list = new BlockList()
  for (const line of lines) addNetwork(list, line)
  return list
}

function addNetwork(list: BlockList, line: string): void {
  const [address = '', bits] = line.split('/')
  const version = isIP(address)
  if (version === 0) return
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) return list.addAddress(address, family)
  const prefix = bits === '' ? Number.NaN : Number(bits)
  if (Number.isInteger(prefix) && prefix >= 0 && prefix <= (version === 6 ? 128 : 32))
    list.addSubnet(address, prefix, family)
}

export function holdsAddress(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
