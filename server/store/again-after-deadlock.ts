import { isDeadlock } from './store-error.ts'

const MOST_TIMES = 10
/** Longer each time: of many who want the same rows, some must be let through first. */
const PAUSE_MS = 20

/**
 * Runs a transaction again that was taken back whole because another one waited for it. Locks are taken in one
 * order, but MySQL also locks the gaps between rows, which have none.
 */
export async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await run()
    } catch (error) {
      if (times > MOST_TIMES || !isDeadlock(error)) throw error
      await Bun.sleep(Math.random() * PAUSE_MS * times)
    }
  }
}
