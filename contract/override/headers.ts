import { type Patience, Pattern } from './pattern.ts'

/** In small letters. */
export type HeaderName = string

/** What an operator wants of the headers that go to an upstream. */
export interface HeaderRules {
  readonly fixed: readonly (readonly [HeaderName, string])[]
  /** Which of the client's own go on besides. */
  readonly passing?: ((names: readonly HeaderName[]) => HeaderName[]) | undefined
}

const EVERY = '*'
const PATTERN = 're:'
/** For all names of one call; those that it does not reach to do not pass. */
const NAME_STEPS = 100_000

/** What belongs to the connection and the body, and is written by whoever sends them. */
const framing = new Set([
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'te',
    'trailer',
    'upgrade',
  ],
  ...['expect', 'content-length', 'content-encoding', 'accept-encoding'],
])

/** The client's own business with us, or with its browser, and where it is. */
const privateNames = new Set([
  ...['authorization', 'cookie', 'set-cookie', 'cookie2', 'forwarded', 'via', 'origin', 'referer', 'from'],
  ...['x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'fastly-client-ip'],
  ...['openai-organization', 'openai-project', 'x-goog-user-project', 'new-api-user'],
  ...['idempotency-key', 'http2-settings', 'content-type', 'range', 'early-data'],
  // What it names is put in here; another gateway of this kind would put in what its own account has by that name.
  'x-tollgate-prompt',
])
const privateKinds =
  /^(x-forwarded-|x-original-|proxy-|sec-|cf-|access-control-|if-|x-oneapi-)|auth|cookie|token|secret|passw|credential|signature|api-?key/

/** Whether a client's header may be shown to an upstream at all. */
export function mayPass(name: HeaderName): boolean {
  return !framing.has(name) && !privateNames.has(name) && !privateKinds.test(name)
}

const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/

/** A header that an operation may write. */
export function parseHeaderName(text: unknown): HeaderName | undefined {
  if (typeof text !== 'string' || !NAME.test(text)) return undefined
  const name = text.toLowerCase()
  return framing.has(name) || name === 'content-type' || name === EVERY ? undefined : name
}

/** What a header may say: no line ends inside it. */
export function isHeaderValue(text: unknown): text is string {
  return typeof text === 'string' && text.length <= 8000 && /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

/** An entry that cannot be kept to is left out; `onFault` is told which. */
export function readHeaderRules(
  override: Readonly<Record<string, unknown>>,
  onFault: (name: string) => void,
): HeaderRules {
  const fixed: (readonly [HeaderName, string])[] = []
  const patterns: Pattern[] = []
  let isEvery = false
  for (const [name, value] of Object.entries(override)) {
    if (name === EVERY) isEvery = true
    else if (name.startsWith(PATTERN)) {
      const pattern = readPattern(name.slice(PATTERN.length))
      if (pattern) patterns.push(pattern)
      else onFault(name)
    } else if (NAME.test(name) && isHeaderValue(value)) fixed.push([name.toLowerCase(), value])
    else onFault(name)
  }
  if (!isEvery && patterns.length === 0) return { fixed }
  return { fixed, passing: names => matching(names.filter(mayPass), isEvery ? undefined : patterns) }
}

/** Names are the same in capitals. */
function readPattern(source: string): Pattern | undefined {
  try {
    return new Pattern(/^\(\?[ims]+\)/.test(source) ? source : `(?i)${source}`)
  } catch {
    return undefined
  }
}

function matching(names: readonly HeaderName[], patterns: readonly Pattern[] | undefined): HeaderName[] {
  if (!patterns) return [...names]
  const patience: Patience = { steps: NAME_STEPS }
  try {
    return names.filter(name => patterns.some(pattern => pattern.test(name, patience)))
  } catch {
    return []
  }
}
