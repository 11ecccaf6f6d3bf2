interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** A batch of so many says that more are on their way: then the next one waits a moment for them. */
const BUSY = 4
/** Enough to go at once. */
const ENOUGH = 96

/**
 * Callers join the batch that is forming; when a commit returns, the next batch goes. At low load a batch is
 * one and waits for nobody. At high load commits would be many and small, and each costs the same: there the
 * next one may `gather` for a moment first.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #most: number
  readonly #gather: (() => Promise<void>) | undefined
  #forming: Waiting<Item, Result>[] = []
  #committing = false

  constructor(
    commit: (items: readonly Item[]) => Promise<readonly Result[]>,
    most: number,
    gather?: () => Promise<void>,
  ) {
    this.#commit = commit
    this.#most = most
    this.#gather = gather
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#forming.push({ item, resolve, reject })
      if (this.#committing) return
      this.#committing = true
      // Those who call in the same breath share the first commit too.
      queueMicrotask(() => this.#run().catch(reject))
    })
  }

  /** Batch after batch, for as long as somebody waits. Never rejects: each waits for a word of its own. */
  async #run(): Promise<void> {
    while (this.#forming.length > 0) {
      const batch = this.#forming.splice(0, this.#most)
      await this.#runBatch(batch)
      if (this.#gather && this.#isFilling(batch.length)) await this.#gather()
    }
    this.#committing = false
  }

  async #runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#commit(batch.map(({ item }) => item))
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  #isFilling(last: number): boolean {
    return last >= BUSY && this.#forming.length < ENOUGH
  }
}
