import type { ErrorCode } from '../../../contract/errors.ts'
import { AppError } from '../../errors.ts'
import { readText } from '../../outbound/client.ts'
import type { App } from '../app.ts'
import { type ReadList, readList } from './read-list.ts'

const WAIT_MS = 25_000
const LARGEST_ANSWER = 8 * 1024 * 1024

export interface Source {
  readonly url: string
  /** Whether the address is that of a gateway, and not of a list. */
  readonly isGateway: boolean
  readonly proxy: string | undefined
}

type Going = Pick<App, 'outbound'>

/** What a source says of prices, or in plain words why it says nothing. */
export async function fetchList(app: Going, source: Source): Promise<ReadList> {
  try {
    return await (source.isGateway ? readGateway(app, source) : readFrom(app, source))
  } catch (error) {
    if (error instanceof AppError) throw new AppError('price-source.failed', { detail: error }, error)
    throw error
  }
}

/** An address as somebody enters it: only a host, perhaps with the version that model calls go to, is a gateway's. */
export function sourceAt(address: string): Source {
  const url = address.trim()
  const parsed = URL.parse(url)
  const base = parsed && gatewayBase(parsed)
  const isGateway = parsed !== null && base === parsed.origin && parsed.search === ''
  return { url: isGateway ? parsed.origin : url, isGateway, proxy: undefined }
}

/** What stands before the version in an address that model calls go to. */
export function gatewayBase({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/v\d+(\/.*)?$/, '').replace(/\/+$/, '')
}

/** Said of an address that is there, and at which there is no list. */
const withoutList: ReadonlySet<ErrorCode> = new Set([
  'price-source.status',
  'price-source.no-json',
  'price-source.form',
])

/** Gateways of the family tell their ratios where the operator lets them, and their prices in any case. */
async function readGateway(app: Going, source: Source): Promise<ReadList> {
  try {
    return await readFrom(app, { ...source, url: `${source.url}/api/ratio_config` })
  } catch (error) {
    if (!(error instanceof AppError && withoutList.has(error.code))) throw error
    return readFrom(app, { ...source, url: `${source.url}/api/pricing` })
  }
}

/** Nobody's key goes along, and no redirect is followed: whoever gives the address means that one. */
async function readFrom({ outbound }: Going, { url, proxy }: Source): Promise<ReadList> {
  const response = await outbound.fetch(url, {
    policy: 'operator',
    headers: { accept: 'application/json' },
    timeoutMs: WAIT_MS,
    wholeMs: WAIT_MS,
    maxBytes: LARGEST_ANSWER,
    ...(proxy ? { proxy } : {}),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new AppError('price-source.status', { status: response.status })
  }
  const list = await readList(parse(await readText(response, LARGEST_ANSWER)))
  if (!list) throw new AppError('price-source.form')
  return list
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('price-source.no-json', {}, error)
  }
}
