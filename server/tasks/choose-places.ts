import { AppError } from '../errors.ts'
import type { Admitted } from '../relay/callers/authorise.ts'
import type { Order } from '../relay/order/order.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { Channel } from '../relay/routing/channel.ts'
import type { Candidates } from '../relay/routing/channel-index.ts'
import { type FoundPlace, findPlace, type Place } from '../relay/routing/place.ts'
import { type Attempt, tryChannels, type Wanted } from '../relay/upstream/try-channels.ts'
import { UpstreamFailure } from '../relay/upstream/upstream-failure.ts'

/** Something that vendors keep and that is for no model yet. */
export interface Keeping {
  readonly can: (channel: Channel) => boolean
  /** Where the newest of what the caller has there is. */
  readonly latest: () => Promise<Place | undefined>
  /** Said where the caller has no channel that could keep it. */
  readonly none: () => AppError
}

export interface Places {
  /** In which of the caller's groups. */
  readonly group: string
  /** Those that serve most of what the caller may use first: what is kept can be used there alone. */
  readonly candidates: Candidates
  /** One of their models, for which the caller is let in. */
  readonly model: string
  /** Where the caller's others are, if that is one of these: a request can name those of one account only. */
  readonly usual: FoundPlace | undefined
  /** What it is made of is there, and nowhere else. */
  readonly isBound?: true
}

/** Where it may be kept. */
export async function choosePlaces(parts: RelayParts, admitted: Admitted, keeping: Keeping): Promise<Places> {
  for (const group of admitted.groups ?? [admitted.group]) {
    const served = modelsServed(parts, admitted, group, keeping.can)
    const [model] = served.values().next().value ?? []
    if (model === undefined) continue
    const latest = await keeping.latest()
    const usual = latest && findPlace(parts, latest)
    return {
      group,
      candidates: sortIntoTiers(served),
      model,
      usual: usual && served.has(usual.channel) ? usual : undefined,
    }
  }
  throw keeping.none()
}

/** For what is made of something that is kept already: there alone. */
export function placesAt(parts: RelayParts, admitted: Admitted, kept: Place, keeping: Keeping): Places {
  const place = findPlace(parts, kept)
  if (!place?.channel.isEnabled) throw new AppError('kept.gone')
  const entry = entryAt(parts, admitted, place, keeping.can)
  if (!entry) throw keeping.none()
  return { ...entry, candidates: [[place.channel]], usual: place, isBound: true }
}

/** For what is kept already: by which group and model the caller may use that channel now. */
export function entryAt(
  parts: RelayParts,
  admitted: Admitted,
  { channel }: FoundPlace,
  can: Keeping['can'],
): Pick<Places, 'group' | 'model'> | undefined {
  for (const group of admitted.groups ?? [admitted.group]) {
    const [model] = modelsServed(parts, admitted, group, can).get(channel) ?? []
    if (model !== undefined) return { group, model }
  }
  return undefined
}

/** Where the caller's others are, or else at any account. */
export async function askPlaces<Answer>(
  order: Order,
  { candidates, usual, isBound }: Places,
  errand: Pick<Wanted, 'can' | 'errand' | 'isSurelyRefused'>,
  ask: (attempt: Attempt) => Promise<Answer>,
): Promise<Answer> {
  if (!usual) return tryChannels(order, { ...errand, among: candidates }, ask)
  try {
    return await tryChannels(order, { ...errand, among: [[usual.channel]], keyOf: () => usual.key }, ask)
  } catch (error) {
    const mayBeThere =
      error instanceof UpstreamFailure && errand.isSurelyRefused && !errand.isSurelyRefused(error)
    if (isBound || mayBeThere || !isElsewhereBetter(error)) throw error
    return tryChannels(order, { ...errand, among: candidates }, ask)
  }
}

/** The account is out of order. That the thing itself is refused, another would say as well. */
function isElsewhereBetter(error: unknown): boolean {
  if (error instanceof UpstreamFailure) return !error.problem || error.problem.status >= 500
  return error instanceof AppError && error.code.startsWith('relay.')
}

/** What the caller may use of each channel that could keep it. */
function modelsServed(
  { channels, prices }: RelayParts,
  { caller, pinned }: Admitted,
  group: string,
  can: Keeping['can'],
): Map<Channel, string[]> {
  const served = new Map<Channel, string[]>()
  for (const model of channels.modelsOf(group)) {
    if (caller.models && !caller.models.has(model)) continue
    // Nobody is let in for a model that has no price.
    if (!prices().findPrice(model)) continue
    for (const channel of channels.candidates(group, model).flat()) {
      if (!can(channel) || (pinned !== undefined && channel.id !== pinned)) continue
      const models = served.get(channel)
      if (models) models.push(model)
      else served.set(channel, [model])
    }
  }
  return served
}

function sortIntoTiers(served: ReadonlyMap<Channel, readonly string[]>): Candidates {
  const tiers = new Map<string, Channel[]>()
  const byUse = [...served].sort(
    ([one, models], [other, others]) => others.length - models.length || other.priority - one.priority,
  )
  for (const [channel, models] of byUse) {
    const name = `${models.length} ${channel.priority}`
    tiers.set(name, [...(tiers.get(name) ?? []), channel])
  }
  return [...tiers.values()]
}
