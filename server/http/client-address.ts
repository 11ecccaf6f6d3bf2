import { BlockList, isIP } from 'node:net'

/** Which peers may speak for others, and whom a request really comes from. */
export class ClientAddresses {
  readonly #trusted = new BlockList()
  readonly trustsAny: boolean

  constructor(trustedProxies: readonly string[]) {
    this.trustsAny = trustedProxies.length > 0
    for (const entry of trustedProxies) {
      const [address = '', bits] = entry.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#trusted.addAddress(address, family)
      else this.#trusted.addSubnet(address, Number(bits), family)
    }
  }

  isTrusted(address: string): boolean {
    if (!this.trustsAny) return false
    const family = isIP(address)
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }

  /** X-Forwarded-For is walked from the right for as long as those who wrote it are trusted. */
  resolve(peer: string, forwardedFor: string | null): string {
    let address = plainAddress(peer)
    if (!forwardedFor || !this.isTrusted(address)) return address
    for (const entry of forwardedFor.split(',').reverse()) {
      const next = plainAddress(entry.trim())
      if (isIP(next) === 0) return address
      address = next
      if (!this.isTrusted(address)) return address
    }
    return address
  }
}

/** IPv4 written as IPv6 is IPv4; brackets and ports are not part of an address. */
function plainAddress(text: string): string {
  const unbracketed = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(unbracketed)
  if (mapped?.[1]) return mapped[1]
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(unbracketed)
  return withPort?.[1] ?? unbracketed
}

const near = new BlockList()
near.addSubnet('127.0.0.0', 8)
near.addSubnet('10.0.0.0', 8)
near.addSubnet('172.16.0.0', 12)
near.addSubnet('192.168.0.0', 16)
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')

/** This machine or its private network. */
export function isNear(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && near.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
