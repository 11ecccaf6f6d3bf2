interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result | Promise<Result>): void
  reject(error: unknown): void
}

/** What became of each, in their order; a promise that rejects where one alone failed. */
type Commit<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>

const turnsEnd = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Callers join the batch that is forming; when a commit returns, the next batch goes. At low load a batch is
 * one, at high load it is many, and no timer is involved: waiting a moment for more was tried, and cost more
 * than it spared. Where several came together last time, whoever else comes in the same turn of the event loop
 * is taken along; whoever is alone waits for nobody.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: Commit<Item, Result>
  readonly #most: number
  #forming: Waiting<Item, Result>[] = []
  #committing = false
  /** Whether the last batch was of several. */
  #isCrowded = false

  constructor(commit: Commit<Item, Result>, most: number) {
    this.#commit = commit
    this.#most = most
  }

  /** How many wait for the batch under way. */
  get waiting(): number {
    return this.#forming.length
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#forming.push({ item, resolve, reject })
      if (this.#committing) return
      this.#committing = true
      // Those who call in the same breath share the first commit too.
      const begin = (): void => void this.#run().catch(reject)
      if (this.#isCrowded) setImmediate(begin)
      else queueMicrotask(begin)
    })
  }

  /** Batch after batch, for as long as somebody waits. Never rejects: each waits for a word of its own. */
  async #run(): Promise<void> {
    while (this.#forming.length > 0) {
      const batch = this.#forming.splice(0, this.#most)
      this.#isCrowded = batch.length > 1
      await this.#runBatch(batch)
      if (this.#isCrowded && this.#forming.length > 0) await turnsEnd()
    }
    this.#committing = false
  }

  async #runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#commit(batch.map(({ item }) => item))
      let at = 0
      for (const { resolve } of batch) resolve(results[at++] as Result | Promise<Result>)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
