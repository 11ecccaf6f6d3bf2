/** Where spans go, as the variables of OpenTelemetry say it. */
export interface OtelEnv {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Of the process, on every span. */
  readonly attributes: Readonly<Record<string, string>>
  readonly sampling: { readonly ratio: number; readonly byParent: boolean }
}

type Given = (name: string) => string | undefined
type ReadFlag = (name: string, text: string | undefined, problems: string[]) => boolean

/** Undefined when no collector is named, or none is wanted; then the others are not looked at. */
export function readOtel(given: Given, readFlag: ReadFlag, problems: string[]): OtelEnv | undefined {
  const found = problems.length
  const isOff = readFlag('OTEL_SDK_DISABLED', given('OTEL_SDK_DISABLED'), problems)
  const url = given('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? given('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (isOff || url === undefined) return undefined
  const exporter = given('OTEL_TRACES_EXPORTER') ?? 'otlp'
  if (exporter === 'none') return undefined
  if (exporter !== 'otlp') problems.push(`OTEL_TRACES_EXPORTER must be otlp or none, not "${exporter}"`)
  checkProtocol('OTEL_EXPORTER_OTLP_PROTOCOL', given('OTEL_EXPORTER_OTLP_PROTOCOL'), problems)
  checkProtocol('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', given('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'), problems)
  const { 'service.name': named, ...attributes } = readPairs(
    'OTEL_RESOURCE_ATTRIBUTES',
    given('OTEL_RESOURCE_ATTRIBUTES'),
    problems,
  )
  const sampling = readSampling(given('OTEL_TRACES_SAMPLER'), given('OTEL_TRACES_SAMPLER_ARG'), problems)
  const env: OtelEnv = {
    url: readUrl(given, problems),
    headers: {
      ...readHeaders('OTEL_EXPORTER_OTLP_HEADERS', given('OTEL_EXPORTER_OTLP_HEADERS'), problems),
      ...readHeaders(
        'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
        given('OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
        problems,
      ),
    },
    serviceName: given('OTEL_SERVICE_NAME') ?? named ?? 'tollgate',
    attributes,
    sampling,
  }
  const samplesNothing = sampling.ratio === 0 && !sampling.byParent
  return problems.length > found || samplesNothing ? undefined : env
}

/** The one for traces is used as it is, the one for all signals has their address added. */
function readUrl(given: Given, problems: string[]): string {
  const own = given('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const name = own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  const url = URL.parse(own ?? given('OTEL_EXPORTER_OTLP_ENDPOINT') ?? '')
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    problems.push(`${name} must be http://… or https://…, such as http://localhost:4318`)
    return ''
  }
  if (own === undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

function checkProtocol(name: string, protocol: string | undefined, problems: string[]): void {
  if (protocol === undefined || protocol === 'http/json') return
  problems.push(
    `${name} must be http/json, the only one that is spoken here, not "${protocol}": every collector takes it at its ` +
      'port for HTTP, as a rule 4318 (OTEL_SDK_DISABLED=true sends nothing)',
  )
}

/** The words of W3C's baggage: `name=value,name=value`, with values percent-encoded. What is wrong is not repeated. */
function readPairs(name: string, text: string | undefined, problems: string[]): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const part of (text ?? '').split(',')) {
    if (part.trim() === '') continue
    const at = part.indexOf('=')
    const key = at < 0 ? '' : part.slice(0, at).trim()
    const value = decode(part.slice(at + 1).trim())
    if (key === '' || value === undefined) {
      problems.push(`${name} must be name=value,name=value, with values percent-encoded`)
      return {}
    }
    pairs[key] = value
  }
  return pairs
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

function readHeaders(name: string, text: string | undefined, problems: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [key, value] of Object.entries(readPairs(name, text, problems))) {
    if (!headerName.test(key) || !headerValue.test(value)) {
      problems.push(`${name} must hold names and values that an HTTP header may have`)
      return {}
    }
    headers[key.toLowerCase()] = value
  }
  return headers
}

const samplers = ['always_on', 'always_off', 'traceidratio'] as const

function readSampling(
  text = 'parentbased_always_on',
  part: string | undefined,
  problems: string[],
): OtelEnv['sampling'] {
  const byParent = text.startsWith('parentbased_')
  const root = samplers.find(known => known === text.replace('parentbased_', ''))
  if (!root)
    problems.push(
      `OTEL_TRACES_SAMPLER must be ${samplers.join(', ')}, or one of them behind parentbased_, not "${text}"`,
    )
  if (root !== 'traceidratio') return { byParent, ratio: root === 'always_off' ? 0 : 1 }
  const ratio = Number(part ?? 1)
  const isRatio = ratio >= 0 && ratio <= 1
  if (!isRatio) problems.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${part}"`)
  return { byParent, ratio: isRatio ? ratio : 1 }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
