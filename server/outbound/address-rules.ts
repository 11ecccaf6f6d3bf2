/**
 * What an IP address is, judged on its integer value.
 * - global: routable on the internet
 * - wrapped: a global IPv4 address inside a transition range (NAT64, 6to4, mapped, Teredo)
 * - local: private, loopback, shared, documentation; an operator may mean it, a user may not
 * - never: metadata services, link-local, unspecified, multicast, reserved
 */
export type AddressKind = 'global' | 'wrapped' | 'local' | 'never'
export type Policy = 'operator' | 'user'

export function isAddressAllowed(address: string, policy: Policy, allowPrivate: boolean): boolean {
  const kind = classifyAddress(address)
  if (kind === 'global') return true
  if (policy === 'user' || kind === 'never') return false
  return kind === 'wrapped' || allowPrivate
}

/** Text that is not exactly one address is 'never': what cannot be read cannot be vouched for. */
export function classifyAddress(text: string): AddressKind {
  const v4 = parseV4(text)
  if (v4 !== null) return classifyV4(v4)
  const v6 = parseV6(text)
  return v6 === null ? 'never' : classifyV6(v6)
}

export function parseV4(text: string): number | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part)) return null
    const octet = Number(part)
    if (octet > 255) return null
    value = value * 256 + octet
  }
  return value
}

export function parseV6(text: string): bigint | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = readGroups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? readGroups(halves[1] ?? '', true) : []
  if (!head || !tail) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail]
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n)
}

/** Groups of hex digits; the last may be a dotted quad where the address ends. */
function readGroups(text: string, endsAddress: boolean): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16))
      continue
    }
    const quad = endsAddress && index === parts.length - 1 ? parseV4(part) : null
    if (quad === null) return null
    groups.push(quad >>> 16, quad & 0xffff)
  }
  return groups
}

type Range = readonly [base: bigint, bits: number, width: 32 | 128]

const v4Never = ranges(
  '0.0.0.0/8', // this network, unspecified
  '169.254.0.0/16', // link-local: metadata of most clouds
  '192.0.0.0/24', // protocol assignments, with a cloud's metadata at .192
  '168.63.129.16/32', // a cloud's wire server
  '100.100.100.200/32', // metadata
  '100.96.0.96/32', // metadata
  '224.0.0.0/3', // multicast, reserved, broadcast
)
const v4Local = ranges(
  '10.0.0.0/8',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // carrier and overlay networks
  '198.18.0.0/15', // benchmarks; also the fake addresses of local proxy tools
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24',
)
const v6Never = ranges(
  '::/128',
  'fe80::/10', // link-local
  'ff00::/8', // multicast
  '100::/64', // discard
  'fd00:ec2::/32', // metadata and credential services
  'fd20:ce::254/128', // metadata
  'fd00:c1::a9fe:a9fe/128', // metadata
  'fd00:42::42/128', // metadata
)
const v6Local = ranges(
  '::1/128',
  'fc00::/7',
  'fec0::/10',
  '2001::/23', // protocol assignments (Teredo is judged before)
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
)
const v6Global = ranges('2000::/3')

function classifyV4(value: number): AddressKind {
  const bits = BigInt(value)
  if (contains(v4Never, bits)) return 'never'
  return contains(v4Local, bits) ? 'local' : 'global'
}

function classifyV6(value: bigint): AddressKind {
  if (contains(v6Never, value)) return 'never'
  const carried = readCarriedV4(value)
  if (carried) return worstOf('wrapped', ...carried.map(classifyV4))
  const own = contains(v6Local, value) ? 'local' : contains(v6Global, value) ? 'global' : 'never'
  // ISATAP: the interface id is 0:5efe or 200:5efe and the IPv4 address.
  const isatap = ((value >> 32n) & 0xfdffffffn) === 0x5efen
  return isatap ? worstOf('wrapped', own, classifyV4(lastWord(value))) : own
}

const badness: readonly AddressKind[] = ['never', 'local', 'wrapped', 'global']

function worstOf(...kinds: readonly AddressKind[]): AddressKind {
  return badness.find(kind => kinds.includes(kind)) ?? 'never'
}

const lastWord = (value: bigint) => Number(value & 0xffffffffn)
const wordAt = (value: bigint, firstBit: number) => lastWord(value >> BigInt(96 - firstBit))

const wholeV4 = ranges('::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96')
const localNat64 = ranges('64:ff9b:1::/48')
const sixToFour = ranges('2002::/16')
const teredo = ranges('2001::/32')

/** Every IPv4 address that an IPv6 address of a transition range can be unwrapped to on its way. */
function readCarriedV4(value: bigint): number[] | null {
  if (contains(wholeV4, value)) return [lastWord(value)]
  if (contains(sixToFour, value)) return [wordAt(value, 16)]
  if (contains(teredo, value)) return [wordAt(value, 32), ~lastWord(value) >>> 0]
  return contains(localNat64, value) ? readLocalNat64(value) : null
}

/** RFC 6052 puts the IPv4 address in one of four places, by a prefix length that cannot be seen from here. */
function readLocalNat64(value: bigint): number[] {
  const low = (1n << 64n) - 1n
  const withoutByte8 = (value & ~low) | ((value << 8n) & low)
  const readings = [48, 56, 64].map(bit => wordAt(withoutByte8, bit))
  readings.push(lastWord(value))
  // 0.x.x.x is the padding of a reading that does not apply, unless nothing else is there.
  const real = readings.filter(word => word >= 2 ** 24)
  return real.length > 0 ? real : readings
}

function contains(list: readonly Range[], value: bigint): boolean {
  for (const [base, bits, width] of list) {
    if (value >> BigInt(width - bits) === base) return true
  }
  return false
}

function ranges(...blocks: readonly string[]): readonly Range[] {
  return blocks.map(block => {
    const [text = '', length] = block.split('/')
    const v4 = parseV4(text)
    const value = v4 === null ? parseV6(text) : BigInt(v4)
    if (value === null) throw new Error(`not an address range: ${block}`)
    const width = v4 === null ? 128 : 32
    const bits = Number(length)
    return [value >> BigInt(width - bits), bits, width]
  })
}
