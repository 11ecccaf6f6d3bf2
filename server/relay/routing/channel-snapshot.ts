import type { Store } from '../../store/index.ts'
import { Readings } from '../../store/readings.ts'
import { type ChannelRow, channelColumns } from '../../store/routed-channel.ts'
import { Channel } from './channel.ts'
import { type Candidates, ChannelIndex } from './channel-index.ts'

/** Rows read at once, so that requests are served in between however many channels there are. */
const PAGE = 1000

type Source = Pick<Store, 'db' | 'cipher' | 'bus'>

/**
 * All channels, in memory. A refresh makes a new `Channel` only where its row has changed, so what is known
 * of the health of the others stays with them.
 */
export class ChannelSnapshot {
  readonly #source: Source
  readonly #clock: (() => number) | undefined
  readonly #index = new ChannelIndex()
  readonly #channels = new Map<number, { readonly row: ChannelRow; readonly channel: Channel }>()
  readonly #readings = new Readings(() => this.#readAll())

  private constructor(source: Source, clock: (() => number) | undefined) {
    this.#source = source
    this.#clock = clock
  }

  static async load(source: Source, clock?: () => number): Promise<ChannelSnapshot> {
    const snapshot = new ChannelSnapshot(source, clock)
    // Listening first: what changes while the first reading is under way is read again.
    source.bus.on('channels', () => snapshot.refresh())
    await snapshot.refresh()
    return snapshot
  }

  /** Enabled channels that serve the model to the group. */
  candidates(group: string, model: string): Candidates {
    return this.#index.candidates(group, model)
  }

  modelsOf(group: string): readonly string[] {
    return this.#index.modelsOf(group)
  }

  /** Whatever its status. */
  byId(id: number): Channel | undefined {
    return this.#channels.get(id)?.channel
  }

  all(): readonly Channel[] {
    return Array.from(this.#channels.values(), ({ channel }) => channel)
  }

  /** Resolves after a reading that began after this call. */
  refresh(): Promise<void> {
    return this.#readings.again()
  }

  async #readAll(): Promise<void> {
    const gone = new Set(this.#channels.keys())
    for (let after = 0, page = PAGE; page === PAGE; ) {
      const rows = await this.#readPage(after)
      for (const row of rows) {
        gone.delete(row.id)
        this.#take(row)
        after = row.id
      }
      page = rows.length
    }
    for (const id of gone) this.#drop(id)
  }

  #readPage(after: number): Promise<ChannelRow[]> {
    return this.#source.db
      .selectFrom('channels')
      .select(channelColumns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
  }

  #take(row: ChannelRow): void {
    const known = this.#channels.get(row.id)
    if (known && isSame(known.row, row)) return
    if (known) this.#index.remove(known.channel)
    const channel = new Channel(row, this.#source.cipher, this.#clock, known?.channel)
    this.#channels.set(row.id, { row, channel })
    if (channel.isEnabled) this.#index.add(channel)
  }

  #drop(id: number): void {
    const known = this.#channels.get(id)
    if (known) this.#index.remove(known.channel)
    this.#channels.delete(id)
  }
}

function isSame(a: ChannelRow, b: ChannelRow): boolean {
  return channelColumns.every(column => a[column] === b[column])
}
