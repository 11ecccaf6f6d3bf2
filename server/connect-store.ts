import { CannotStart } from './cannot-start.ts'
import { describeDatabase, type Env } from './env.ts'
import { describeError, log } from './log.ts'
import { exitCodes } from './process-messages.ts'
import { openStore, type Store, type StoreOptions } from './store/index.ts'
import { isUnavailable } from './store/store-error.ts'
import { WrongSecretKey } from './store/system-facts.ts'

/** How long to wait before each further try: a database that starts beside us gets a quarter of a minute. */
const PAUSES_MS = [500, 1000, 2000, 3000, 4000, 5000]

export async function connectStore(env: Env, rest: Omit<StoreOptions, 'engine' | 'target'>): Promise<Store> {
  const pauses = [...PAUSES_MS]
  for (;;) {
    try {
      return await openStore({ ...env.database, ...rest })
    } catch (error) {
      if (error instanceof WrongSecretKey) throw new CannotStart(error.message, exitCodes.configuration)
      if (!isUnavailable(error)) throw error
      const problem = `the database cannot be reached: ${describeDatabase(env)}`
      const pause = pauses.shift()
      if (pause === undefined) throw new CannotStart(problem, exitCodes.databaseDown, error)
      const reason = describeError((error as Error).cause).split('\n')[0]
      log.warn(`${problem}; trying again in ${pause / 1000} s`, { reason })
      await Bun.sleep(pause)
    }
  }
}
