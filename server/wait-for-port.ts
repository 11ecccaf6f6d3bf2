import type { Env } from './env.ts'
import { log } from './log.ts'
import { cannotListen, isTaken } from './start-problems.ts'

/** Who had the port may only be ending; who has it after that means to keep it. */
const TRIES = 20
const PAUSE_MS = 500

/** What listens on the port, as soon as that is free; undefined where it is not wanted any more meanwhile. */
export async function waitForPort<Listening>(
  env: Env,
  listen: () => Listening,
  isGivenUp: () => boolean,
): Promise<Listening | undefined> {
  for (let tried = 0; !isGivenUp(); tried++) {
    try {
      return listen()
    } catch (error) {
      if (!isTaken(error) || tried === TRIES) throw cannotListen(env, error)
      if (tried === 0)
        log.warn(`port ${env.port} is in use: waiting up to ${(TRIES * PAUSE_MS) / 1000} s for it to be free`)
      await Bun.sleep(PAUSE_MS)
    }
  }
  return undefined
}
