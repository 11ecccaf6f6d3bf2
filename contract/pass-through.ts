/** The kind of channel behind which any HTTP API may stand. Its models are names of services, found at `/pass/{service}/…`. */
export const ANY_HTTP = 1001

export const passMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type PassMethod = (typeof passMethods)[number]

export const keyPlaces = ['header', 'query', 'none'] as const
export type KeyPlace = (typeof keyPlaces)[number]

/** What passes through a channel, and how its key is sent: the member `pass` of its settings. */
export interface PassRules {
  readonly keyIn: KeyPlace
  /** Of the header, or of the parameter of the query. */
  readonly keyName: string
  /** What stands before the key in its header. */
  readonly keyPrefix: string
  readonly methods: readonly PassMethod[]
  /** What a path has to begin with; none: any path below the base URL. */
  readonly paths: readonly string[]
  /** Whether the query of a caller goes on. */
  readonly query: boolean
  /** What is asked by GET to see whether the service is there. */
  readonly testPath: string
}

export const usualKeyNames: Readonly<Record<KeyPlace, string>> = {
  header: 'Authorization',
  query: 'api_key',
  none: '',
}
const USUAL_KEY_PREFIX = 'Bearer '

export const usualPassRules: PassRules = {
  keyIn: 'header',
  keyName: usualKeyNames.header,
  keyPrefix: USUAL_KEY_PREFIX,
  methods: passMethods,
  paths: [],
  query: true,
  testPath: '',
}

/** Other headers hold the key alone. */
export function usualPrefixOf(keyName: unknown): string {
  return String(keyName).toLowerCase() === 'authorization' ? USUAL_KEY_PREFIX : ''
}

export type PassMember = 'key_in' | 'key_name' | 'key_prefix' | 'methods' | 'paths' | 'query' | 'test_path'

const MOST_PATHS = 200
const LONGEST = 1000
const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/
/** Those that whoever sends a request writes alone. */
const framing = /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-.*)$/i
const queryName = /^[\w.~-]{1,100}$/
const prefix = /^[\x20-\x7e]{0,100}$/

/** The rules, or the first member that is not as it has to be. */
export function readPassRules(value: unknown): PassRules | { readonly fault: PassMember | 'pass' } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'pass' }
  const given = value as Readonly<Partial<Record<PassMember, unknown>>>
  const keyIn = keyPlaces.find(place => place === (given.key_in ?? 'header'))
  if (!keyIn) return { fault: 'key_in' }
  const keyName = textOr(given.key_name, usualKeyNames[keyIn])
  const keyPrefix = given.key_prefix ?? usualPrefixOf(keyName)
  const methods = given.methods ?? passMethods
  const paths = given.paths ?? []
  const { query = true, test_path: testPath = '' } = given
  if (!isKeyName(keyIn, keyName)) return { fault: 'key_name' }
  if (typeof keyPrefix !== 'string' || !prefix.test(keyPrefix)) return { fault: 'key_prefix' }
  if (!Array.isArray(methods) || !methods.every(isPassMethod)) return { fault: 'methods' }
  if (!Array.isArray(paths) || paths.length > MOST_PATHS || !paths.every(isPath)) return { fault: 'paths' }
  if (typeof query !== 'boolean') return { fault: 'query' }
  if (testPath !== '' && !isTestPath(testPath)) return { fault: 'test_path' }
  return { keyIn, keyName, keyPrefix, methods, paths, query, testPath }
}

export function isPassMethod(value: unknown): value is PassMethod {
  return passMethods.some(method => method === value)
}

/** Whether a path is one of those that the rules let through. What it decodes to is judged by `staysBelow`. */
export function allowsPath({ paths }: PassRules, path: string): boolean {
  return (
    paths.length === 0 ||
    paths.some(begin => path === begin || path.startsWith(begin.endsWith('/') ? begin : `${begin}/`))
  )
}

/** What is packed more often than this, nobody means. */
const MOST_DECODED = 5

/** Whether nobody who reads the path, however often it is decoded, is led above the place where it begins. */
export function staysBelow(path: string): boolean {
  let read = path
  for (let round = 0; round < MOST_DECODED; round++) {
    if (climbs(read)) return false
    const decoded = read.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    if (decoded === read) return true
    read = decoded
  }
  return false
}

/**
 * Dots by themselves, also before the parameters that some servers cut off; signs that no path has; spellings that are
 * longer than UTF-8 allows.
 */
function climbs(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]|%c[01]|%e0%[89]|%f0%8|%u[0-9a-f]{4}/i.test(path)) return true
  return path.split(/[/\\]/).some(segment => /^\s*\.{1,2}\s*(;|$)/.test(segment))
}

function textOr(value: unknown, usual: string): unknown {
  return value === undefined || value === null || value === '' ? usual : value
}

function isKeyName(place: KeyPlace, name: unknown): name is string {
  if (typeof name !== 'string') return false
  if (place === 'none') return true
  return place === 'query' ? queryName.test(name) : headerName.test(name) && !framing.test(name)
}

function isPath(value: unknown): value is string {
  return isTestPath(value) && !/[?#]/.test(value)
}

function isTestPath(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.startsWith('/') &&
    value.length <= LONGEST &&
    !/[#\s]/.test(value) &&
    staysBelow(value.split('?')[0] ?? '')
  )
}
