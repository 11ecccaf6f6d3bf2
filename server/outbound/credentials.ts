/**
 * Who asks, as addresses say it: `user:password@` or a token alone, behind the scheme. No scheme is longer, and one
 * without an end would be looked for from every word of a long text to where that ends.
 */
const userinfo = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#\\"'<>]+)@/gi
const MASK = '***'
/** What stands in a query under such a name is a key. */
const secretName = /key|token|secret|sig|pass|code$/i
const inQuery = /([?&])([^=&#]{1,100})=([^&#]*)/g
const place = /^([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#\\"'<>]*@)?([^/?#\\]*)/i
/** Shorter ones are no secrets, and blanking them garbles texts. */
const SHORTEST = 6

/** A text with the passwords of all addresses in it taken out. Somebody without a password is a token. */
export function hideCredentials(text: string): string {
  return text.includes('@') ? text.replace(userinfo, (_, scheme, who) => `${scheme}${hidden(who)}@`) : text
}

function hidden(who: string): string {
  const at = who.indexOf(':')
  return at < 0 ? MASK : `${who.slice(0, at)}:${MASK}`
}

/** An address without what it proves itself with: neither its password nor a key in its query. */
export function hideInAddress(address: string): string {
  return hideCredentials(address).replace(inQuery, (pair, before, name) =>
    secretName.test(name) ? `${before}${name}=${MASK}` : pair,
  )
}

interface Parts {
  readonly scheme: string
  readonly who: string
  readonly rest: string
}

function partsOf(address: string): Parts | undefined {
  const [whole = '', scheme = '', who = ''] = new RegExp(`^${userinfo.source}`, 'i').exec(address) ?? []
  return whole === '' ? undefined : { scheme, who, rest: address.slice(whole.length) }
}

/**
 * An address that was shown with its password and keys hidden, as it is meant: with those that are known, if they are for
 * the same host. Undefined where nobody knows what belongs there.
 */
export function restoreCredentials(given: string, known: string | null): string | undefined {
  if (!hidesSomething(given)) return given
  const to = placeOf(given)
  if (known === null || to === undefined || to !== placeOf(known)) return undefined
  const withKeys = restoreKeys(given, known)
  const asked = partsOf(withKeys ?? '')
  if (withKeys === undefined || !asked || hidden(asked.who) !== asked.who) return withKeys
  const former = partsOf(known)
  return former && hidden(former.who) === asked.who ? `${asked.scheme}${former.who}@${asked.rest}` : undefined
}

/** An address that is one of several, and whose it is. */
export interface NamedAddress {
  readonly of: string
  readonly address: string
}

/**
 * The same where several were shown, of which one stood in the place `at`: it is the one that looks so and has its name
 * or place, or else the only one that it can be. What might be another's is not guessed.
 */
export function restoreAmong(
  { of, address }: NamedAddress,
  known: readonly NamedAddress[],
  at = -1,
): string | undefined {
  if (!hidesSomething(address)) return address
  const named = known.filter(one => one.of === of)
  const alike = known.filter(one => hideInAddress(one.address) === address)
  const placed = alike.filter(one => one === known[at])
  for (const some of [alike.filter(one => named.includes(one)), placed, [...alike, ...named], known]) {
    const restored = new Set(some.flatMap(one => restoreCredentials(address, one.address) ?? []))
    if (restored.size === 1) return [...restored][0]
  }
  return undefined
}

function hidesSomething(address: string): boolean {
  const who = partsOf(address)?.who
  return (who !== undefined && hidden(who) === who) || keysIn(address).some(({ value }) => value === MASK)
}

/** Each key comes back under the name that it had, the first of a name for the first. */
function restoreKeys(given: string, known: string): string | undefined {
  const former = keysIn(known)
  let isWhole = true
  const restored = given.replace(inQuery, (pair, before, name, value) => {
    if (value !== MASK || !secretName.test(name)) return pair
    const at = former.findIndex(key => key.name === name)
    const [key] = at < 0 ? [] : former.splice(at, 1)
    if (!key) isWhole = false
    return `${before}${name}=${key?.value}`
  })
  return isWhole ? restored : undefined
}

function keysIn(address: string): { name: string; value: string }[] {
  return Array.from(address.matchAll(inQuery), ([, , name = '', value = '']) => ({ name, value })).filter(
    ({ name }) => secretName.test(name),
  )
}

/** How it is reached, and where; undefined for what is written so that others may find another host in it. */
function placeOf(address: string): string | undefined {
  const [, scheme = '', host = ''] = place.exec(address) ?? []
  return host === '' || address.includes('\\') ? undefined : `${scheme}${host}`.toLowerCase()
}

/** Everything in an address that must not be seen, in every spelling in which it is sent. */
export function secretsInAddress(address: string): readonly string[] {
  const all: string[] = []
  const who = partsOf(address)?.who
  if (who !== undefined) {
    const at = who.indexOf(':')
    const word = at < 0 ? who : who.slice(at + 1)
    all.push(who, decoded(who), word, decoded(word))
    const pair = decoded(who)
    all.push(Buffer.from(at < 0 ? `${pair}:` : pair).toString('base64'))
  }
  const query = address.split('#', 1)[0]?.split('?', 2)[1]
  if (query !== undefined)
    for (const [name, value] of new URLSearchParams(query))
      if (secretName.test(name)) all.push(value, encodeURIComponent(value.toWellFormed()))
  return [...new Set(all)].filter(({ length }) => length >= SHORTEST)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
