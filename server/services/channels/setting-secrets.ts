import { hideInAddress, restoreCredentials } from '../../outbound/credentials.ts'
import { provesSomething } from '../../outbound/proving-headers.ts'
import { isCredentialHeader } from '../../outbound/request-headers.ts'
import { parseObject } from './read-fields.ts'
import { proxyOf } from './upstream-request.ts'

// The settings of a channel are a JSON object in text. What proves the operator in them is the password of its proxy, and
// headers that have a second key.

const MASK = '***'

/** The settings as they are shown: of the proxy all but its password, and of such headers their names. */
export function hideSecrets(setting: string): string {
  return change(setting, { proxy: hideInAddress, header: () => MASK }) ?? setting
}

interface Restored {
  readonly setting: string
  /** What nobody knows: the password of the proxy, or the header that was to say it. */
  readonly lacks?: 'proxy' | { readonly header: string }
}

/** The settings as they are meant: those that were shown are sent back. */
export function restoreSecrets(given: string, known: string | null): Restored {
  let lacks: Restored['lacks']
  const former = headersIn(parseObject(known ?? '') ?? {})
  const changed = change(given, {
    proxy(address) {
      const restored = restoreCredentials(address, proxyOf(known) ?? null)
      if (restored === undefined) lacks = 'proxy'
      return restored ?? address
    },
    header(value, name, place) {
      if (value !== MASK) return value
      // The first of a name for the first: operations may write one several times.
      const at = former.findIndex(one => one.place === place && one.name === name)
      const [found] = at < 0 ? [] : former.splice(at, 1)
      if (!found) lacks ??= { header: name }
      return found?.value ?? value
    },
  })
  // What says the same is the same, however it is laid out: nothing has changed.
  const isSame = known !== null && changed !== undefined && isAlike(changed, known)
  return { setting: isSame ? known : (changed ?? given), ...(lacks && { lacks }) }
}

/** The first header that says what nobody has typed: undefined as text stands for settings that stay. */
export function keptHeader(typed: string | null | undefined, kept: string | null): string | undefined {
  const headers = headersIn(parseObject((typed === undefined ? kept : typed) ?? '') ?? {})
  return headers.find(({ value }) => typed === undefined || value === MASK)?.name
}

interface Ways {
  proxy(address: string): string
  header(value: string, name: string, place: Place): string
}

/** Undefined where there is nothing to change. */
function change(setting: string, ways: Ways): string | undefined {
  const object = parseObject(setting) as { proxy?: unknown } | undefined
  if (!object) return undefined
  const before = JSON.stringify(object)
  const proxy = proxyOf(setting)
  const next = proxy === undefined ? undefined : ways.proxy(proxy)
  if (next !== proxy) object.proxy = next
  for (const { value, name, place, put } of headersIn(object)) put(ways.header(value, name, place))
  return JSON.stringify(object) === before ? undefined : JSON.stringify(object, null, 2)
}

type Place = 'header_override' | 'set_header'

interface Header {
  readonly place: Place
  /** In small letters. */
  readonly name: string
  readonly value: string
  put(value: string): void
}

/** Those that prove something, or did when they were shown, wherever they are written. */
function headersIn(setting: object): Header[] {
  const { header_override, param_override } = setting as Readonly<Record<string, unknown>>
  const found: Header[] = []
  const note = (place: Place, said: unknown, holder: object, member: string): void => {
    const value = (holder as Record<string, unknown>)[member]
    if (typeof said !== 'string' || typeof value !== 'string') return
    const name = said.toLowerCase()
    const isMasked = value === MASK && isCredentialHeader(name, [])
    if (!isMasked && !provesSomething(name, value)) return
    const put = (text: string): void => {
      Object.assign(holder, { [member]: text })
    }
    found.push({ place, name, value, put })
  }
  if (isObject(header_override))
    for (const name of Object.keys(header_override)) note('header_override', name, header_override, name)
  const { operations } = isObject(param_override) ? (param_override as { operations?: unknown }) : {}
  if (Array.isArray(operations))
    for (const one of operations)
      if (isObject(one) && 'mode' in one && one.mode === 'set_header')
        note('set_header', 'path' in one ? one.path : undefined, one, 'value')
  return found
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isAlike(one: string, other: string): boolean {
  return JSON.stringify(parseObject(one)) === JSON.stringify(parseObject(other))
}
