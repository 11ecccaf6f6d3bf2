import type { Destination } from '../define.ts'

export interface SparkModel {
  /** Of its WebSocket. */
  readonly path: string
  readonly domain: string
  /** Tokens that it can write at most. */
  readonly most: number
  /** Whether it knows the role `system`. */
  readonly system: boolean
}

const lite = model('/v1.1/chat', 'lite', 4096)
const second = model('/v2.1/chat', 'generalv2', 4096)
const pro = model('/v3.1/chat', 'generalv3', 8192)
const proLong = model('/chat/pro-128k', 'pro-128k', 4096)
const max = model('/v3.5/chat', 'generalv3.5', 8192, true)
const maxLong = model('/chat/max-32k', 'max-32k', 8192, true)
const ultra = model('/v4.0/chat', '4.0Ultra', 32_768, true)

const byName = new Map([
  ['lite', lite],
  ['general', lite],
  ['generalv2', second],
  ['generalv3', pro],
  ['pro-128k', proLong],
  ['generalv3.5', max],
  ['max-32k', maxLong],
  ['4.0ultra', ultra],
  ['x1', model('/v1/x1', 'x1', 65_535)],
  ['spark-x', model('/v1/x1', 'spark-x', 65_535)],
])

const byVersion = new Map([
  ['v1.1', lite],
  ['v2.1', second],
  ['v3.1', pro],
  ['v3.1-128k', proLong],
  ['v3.5', max],
  ['v3.5-32k', maxLong],
  ['v4.0', ultra],
])
const DEFAULT_VERSION = 'v2.1'

/** By the vendor's name, or as `SparkDesk` with a version: in the name, else in the channel. */
export function modelOf({ model, other }: Pick<Destination, 'model' | 'other'>): SparkModel | undefined {
  const name = model.toLowerCase()
  const [, version] = /^sparkdesk(?:-(.+))?$/.exec(name) ?? []
  if (!name.startsWith('sparkdesk')) return byName.get(name)
  return byVersion.get(version ?? (other.trim().toLowerCase() || DEFAULT_VERSION))
}

function model(path: string, domain: string, most: number, system = false): SparkModel {
  return { path, domain, most, system }
}
