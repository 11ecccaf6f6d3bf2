/** Reads an export of spans as strictly as the specification allows: whatever is not in it is a complaint. */

export interface SeenSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly traceState: string | undefined
  readonly flags: number
  readonly name: string
  readonly kind: number
  /** Nanoseconds since 1970. */
  readonly start: bigint
  readonly end: bigint
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly resource: Readonly<Record<string, string | number | boolean>>
}

type Fields = Record<string, unknown>

const MOST_INT = 2n ** 63n
/** From 2020 to 2100. */
const EARLIEST = 1_577_836_800_000_000_000n
const LATEST = 4_102_444_800_000_000_000n

export function readExport(json: unknown, complain: (words: string) => void): SeenSpan[] {
  const spans: SeenSpan[] = []
  const { resourceSpans } = fieldsOf(json, ['resourceSpans'], 'request')
  for (const one of listOf(resourceSpans, 'resourceSpans')) {
    const { resource, scopeSpans } = fieldsOf(one, ['resource', 'scopeSpans', 'schemaUrl'], 'resourceSpans')
    const { attributes } = fieldsOf(resource, ['attributes', 'droppedAttributesCount'], 'resource')
    const told = readAttributes(attributes)
    for (const scoped of listOf(scopeSpans, 'scopeSpans')) {
      const { scope, spans: inside } = fieldsOf(scoped, ['scope', 'spans', 'schemaUrl'], 'scopeSpans')
      const { name } = fieldsOf(scope, ['name', 'version', 'attributes', 'droppedAttributesCount'], 'scope')
      if (typeof name !== 'string' || name === '') complain('a scope without a name')
      for (const span of listOf(inside, 'spans')) spans.push(readSpan(span, told))
    }
  }
  return spans

  function fieldsOf(value: unknown, known: readonly string[], what: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      complain(`${what} is no object: ${JSON.stringify(value)}`)
      return {}
    }
    for (const name of Object.keys(value))
      if (!known.includes(name)) complain(`${what} has no field "${name}"`)
    return value as Fields
  }

  function listOf(value: unknown, what: string): unknown[] {
    if (Array.isArray(value)) return value
    complain(`${what} is no list`)
    return []
  }

  function readSpan(value: unknown, resource: SeenSpan['resource']): SeenSpan {
    const span = fieldsOf(value, spanFields, 'span')
    const { traceId, spanId, parentSpanId, traceState, flags, name, kind } = span
    checkId(traceId, 32, 'traceId')
    checkId(spanId, 16, 'spanId')
    if (parentSpanId !== undefined) checkId(parentSpanId, 16, 'parentSpanId')
    if (parentSpanId === spanId) complain('a span that is its own parent')
    if (traceState !== undefined && typeof traceState !== 'string') complain('traceState is no text')
    if (!Number.isInteger(flags) || Number(flags) < 0 || Number(flags) >= 2 ** 32) complain(`flags ${flags}`)
    if (typeof name !== 'string' || name === '') complain('a span without a name')
    if (typeof kind !== 'number' || ![1, 2, 3, 4, 5].includes(kind)) complain(`kind ${kind}`)
    const start = readTime(span.startTimeUnixNano, 'startTimeUnixNano')
    const end = readTime(span.endTimeUnixNano, 'endTimeUnixNano')
    if (end < start) complain(`${name} ends before it begins`)
    const { code = 0, message } = fieldsOf(span.status ?? {}, ['code', 'message'], 'status')
    if (typeof code !== 'number' || ![0, 1, 2].includes(code)) complain(`status code ${code}`)
    if (message !== undefined && typeof message !== 'string') complain('a status message that is no text')
    return {
      traceId: String(traceId),
      spanId: String(spanId),
      parentSpanId: parentSpanId as string | undefined,
      traceState: traceState as string | undefined,
      flags: Number(flags),
      name: String(name),
      kind: Number(kind),
      start,
      end,
      isError: code === 2,
      attributes: readAttributes(span.attributes),
      resource,
    }
  }

  function checkId(value: unknown, digits: number, what: string): void {
    const isId = typeof value === 'string' && value.length === digits && /^[\da-f]+$/.test(value)
    if (!isId || /^0+$/.test(value)) complain(`${what} ${JSON.stringify(value)}`)
  }

  function readTime(value: unknown, what: string): bigint {
    const time = typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : 0n
    if (time < EARLIEST || time > LATEST) complain(`${what} ${JSON.stringify(value)}`)
    return time
  }

  function readAttributes(value: unknown): Record<string, string | number | boolean> {
    const read: Record<string, string | number | boolean> = {}
    for (const one of listOf(value, 'attributes')) {
      const { key, value: held } = fieldsOf(one, ['key', 'value'], 'attribute')
      if (typeof key !== 'string' || key === '') complain(`an attribute's key ${JSON.stringify(key)}`)
      if (Object.hasOwn(read, String(key))) complain(`${key} is told twice`)
      read[String(key)] = readValue(String(key), held)
    }
    return read
  }

  function readValue(key: string, value: unknown): string | number | boolean {
    const held = fieldsOf(value, ['stringValue', 'intValue', 'doubleValue', 'boolValue'], `value of ${key}`)
    const [kind = '', ...others] = Object.keys(held)
    if (others.length > 0) complain(`${key} has several values`)
    const given = held[kind]
    const isInt = (text: unknown) =>
      typeof text === 'string' && /^-?\d+$/.test(text) && BigInt(text) < MOST_INT && BigInt(text) >= -MOST_INT
    if (kind === 'stringValue' && typeof given === 'string') return given
    if (kind === 'boolValue' && typeof given === 'boolean') return given
    if (kind === 'doubleValue' && typeof given === 'number') return given
    if (kind === 'intValue' && isInt(given)) return Number(given)
    complain(`${key} is ${JSON.stringify(value)}`)
    return ''
  }
}

const spanFields = [
  'traceId',
  'spanId',
  'traceState',
  'parentSpanId',
  'flags',
  'name',
  'kind',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'attributes',
  'droppedAttributesCount',
  'events',
  'droppedEventsCount',
  'links',
  'droppedLinksCount',
  'status',
]
