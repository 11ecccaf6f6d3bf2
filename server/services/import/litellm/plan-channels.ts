import type { ChannelFields } from '../../../../contract/channel-fields.ts'
import { modelsByType } from '../../channels/built-in-models.ts'
import type { ImportReport } from '../report.ts'
import { CannotCome, type Place, placeOf, type Variable } from './place.ts'
import type { Config, Deployment } from './read-config.ts'

/** A channel to be, with what it is to serve. */
export interface Planned {
  readonly place: Place
  readonly fields: ChannelFields
  /** The model as clients name it, and as the upstream does. */
  readonly models: Map<string, string>
}

/** Channels for all deployments that can come: those of one key and address together, where their models allow it. */
export function planChannels(config: Config, variable: Variable, report: ImportReport): readonly Planned[] {
  const planned = new Map<string, Planned[]>()
  const weigh = weightOf(config.deployments)
  const rank = priorityOf(config.deployments)
  const otherNames = new Map<string, string[]>()
  for (const [alias, name] of config.aliases) otherNames.set(name, [...(otherNames.get(name) ?? []), alias])
  for (const deployment of config.deployments) {
    const { name, params } = deployment
    try {
      const place = placeOf(deployment, variable)
      const limits = {
        rpm: limitOf(params.rpm),
        tpm: limitOf(params.tpm),
        concurrency: limitOf(params.max_parallel_requests),
      }
      const fields = { ...limits, weight: weigh(params), priority: rank(params) }
      const isLimited = Object.values(limits).some(limit => limit > 0)
      const { model: _, ...address } = place
      // A limit is of the one model, and would be of all that share the channel.
      const key = JSON.stringify([address, fields, isLimited && name])
      const channels = planned.get(key) ?? []
      planned.set(key, channels)
      for (const [asked, model] of modelsOf(deployment, place)) {
        for (const each of [asked, ...(otherNames.get(asked) ?? [])])
          put(channels, each, model, () => ({ place, fields, models: new Map() }))
      }
      noteDefaults(deployment, report)
    } catch (error) {
      if (!(error instanceof CannotCome)) throw error
      report.note(`model ${name}: left out: ${error.message}`)
    }
  }
  return [...planned.values()].flat()
}

/** A channel sends a name to one model; another model of the same name wants another channel. */
function put(channels: Planned[], asked: string, model: string, make: () => Planned): void {
  const free = channels.find(({ models }) => !models.has(asked) || models.get(asked) === model)
  const channel = free ?? make()
  if (!free) channels.push(channel)
  channel.models.set(asked, model)
}

/** A star stands for every model that its vendor is known to have. */
function modelsOf({ name }: Deployment, { type, model }: Place): readonly (readonly [string, string])[] {
  if (!model.includes('*')) {
    if (name.includes('*')) throw new CannotCome('a star that stands for one model')
    return [[name, model]]
  }
  const known = modelsByType[String(type)] ?? []
  if (known.length === 0) throw new CannotCome('which models the star stands for is not known here')
  return known.map(each => [name.replace('*', () => each), model.replace('*', () => each)])
}

type Params = Deployment['params']

/** Parts of a whole are written as fractions by some; here they are whole numbers. */
function weightOf(deployments: readonly Deployment[]): (params: Params) => number {
  const read = ({ weight }: Params): number => (typeof weight === 'number' && weight > 0 ? weight : 0)
  const times = deployments.every(({ params }) => Number.isInteger(read(params))) ? 1 : 100
  return params => Math.round(read(params) * times)
}

/** There the lowest `order` goes first, and whatever has none goes last; here the highest priority does. */
function priorityOf(deployments: readonly Deployment[]): (params: Params) => number {
  const read = ({ order }: Params): number | undefined =>
    Number.isInteger(order) ? Number(order) : undefined
  const last = Math.max(0, ...deployments.flatMap(({ params }) => read(params) ?? []))
  return params => {
    const order = read(params)
    return order === undefined ? 0 : last + 1 - order
  }
}

function limitOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0
}

const taken = new Set([
  ...['model', 'custom_llm_provider', 'api_key', 'api_base', 'base_url', 'api_version', 'organization'],
  ...['extra_headers', 'headers', 'rpm', 'tpm', 'max_parallel_requests', 'weight', 'order'],
  ...['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_region_name'],
  ...['vertex_credentials', 'vertex_location', 'vertex_ai_location', 'vertex_project', 'vertex_ai_project'],
])

/** What is sent along with every call there is the client's to say here. */
function noteDefaults({ name, params }: Deployment, report: ImportReport): void {
  const left = Object.keys(params).filter(each => !taken.has(each) && !each.includes('_cost_per_'))
  if (left.length > 0) report.note(`model ${name}: without ${left.join(', ')}`)
}
