import { CannotStart } from './cannot-start.ts'
import { describeDatabase, type Env } from './env.ts'
import { log } from './log.ts'
import { exitCodes } from './process-messages.ts'
import { databaseProblem } from './start-problems.ts'
import { openStore, type Store, type StoreOptions } from './store/index.ts'
import { OtherVersion } from './store/migrations/index.ts'
import { OtherEncoding, OthersDatabase } from './store/migrations/refuse-others.ts'
import { UnfitSessions } from './store/migrations/refuse-sessions.ts'
import { isUnavailable } from './store/store-error.ts'
import { WrongSecretKey } from './store/system-facts.ts'

/** How long to wait before each further try: a database that starts beside us gets a quarter of a minute. */
const PAUSES_MS = [500, 1000, 2000, 3000, 4000, 5000]

export async function connectStore(env: Env, rest: Omit<StoreOptions, 'engine' | 'target'>): Promise<Store> {
  const pauses = [...PAUSES_MS]
  for (;;) {
    try {
      return await openStore({ ...env.database, connections: env.connectionsEach, ...rest })
    } catch (error) {
      if (error instanceof WrongSecretKey) throw new CannotStart(error.message, exitCodes.otherSecretKey)
      if (error instanceof OtherVersion) throw new CannotStart(error.message, exitCodes.configuration)
      if ([OthersDatabase, OtherEncoding, UnfitSessions].some(kind => error instanceof kind))
        throw new CannotStart(
          `the database cannot be used: ${describeDatabase(env)}: ${(error as Error).message}`,
          exitCodes.configuration,
        )
      const problem = databaseProblem(env, error)
      const isAway = isUnavailable(error) && !problem?.lasts
      if (!problem && !isAway) throw error
      const sentence = problem?.sentence ?? describeDatabase(env)
      if (!isAway) throw new CannotStart(`the database cannot be used: ${sentence}`, exitCodes.configuration)
      const pause = pauses.shift()
      if (pause === undefined)
        throw new CannotStart(`the database cannot be reached: ${sentence}`, exitCodes.databaseDown)
      log.warn(`the database cannot be reached: ${sentence}; trying again in ${pause / 1000} s`)
      await Bun.sleep(pause)
    }
  }
}
