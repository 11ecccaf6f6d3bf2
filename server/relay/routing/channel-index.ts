import type { Channel } from './channel.ts'

/** Channels that serve the same model to the same group, in tiers: the highest priority first. */
export type Candidates = readonly (readonly Channel[])[]

interface Shelf {
  readonly channels: Set<Channel>
  /** Sorted when first asked for after a change. */
  tiers: Candidates | undefined
}

const nobody: Candidates = []

/** Group → model → channels, kept up by the channels that change, so that a change costs what it touches. */
export class ChannelIndex {
  readonly #groups = new Map<string, Map<string, Shelf>>()
  readonly #names = new Map<string, readonly string[]>()

  add(channel: Channel): void {
    for (const group of channel.groups) {
      const shelves = this.#groups.get(group) ?? new Map<string, Shelf>()
      this.#groups.set(group, shelves)
      this.#names.delete(group)
      for (const model of channel.models) put(shelves, model, channel)
    }
  }

  remove(channel: Channel): void {
    for (const group of channel.groups) {
      const shelves = this.#groups.get(group)
      if (!shelves) continue
      this.#names.delete(group)
      for (const model of channel.models) take(shelves, model, channel)
      if (shelves.size === 0) this.#groups.delete(group)
    }
  }

  candidates(group: string, model: string): Candidates {
    const shelf = this.#groups.get(group)?.get(model)
    if (!shelf) return nobody
    shelf.tiers ??= sortIntoTiers(shelf.channels)
    return shelf.tiers
  }

  modelsOf(group: string): readonly string[] {
    const shelves = this.#groups.get(group)
    if (!shelves) return []
    const names = this.#names.get(group) ?? [...shelves.keys()].sort()
    this.#names.set(group, names)
    return names
  }
}

function put(shelves: Map<string, Shelf>, model: string, channel: Channel): void {
  const shelf = shelves.get(model)
  if (!shelf) {
    shelves.set(model, { channels: new Set([channel]), tiers: undefined })
    return
  }
  shelf.channels.add(channel)
  shelf.tiers = undefined
}

function take(shelves: Map<string, Shelf>, model: string, channel: Channel): void {
  const shelf = shelves.get(model)
  if (!shelf?.channels.delete(channel)) return
  shelf.tiers = undefined
  if (shelf.channels.size === 0) shelves.delete(model)
}

function sortIntoTiers(channels: ReadonlySet<Channel>): Candidates {
  const byPriority = new Map<number, Channel[]>()
  for (const channel of [...channels].sort((a, b) => b.priority - a.priority || a.id - b.id)) {
    const tier = byPriority.get(channel.priority)
    if (tier) tier.push(channel)
    else byPriority.set(channel.priority, [channel])
  }
  return [...byPriority.values()]
}
