import type { App } from '../app.ts'
import { allSinks } from './sink.ts'
import { readState } from './state.ts'

/**
 * The last row of the log that may be deleted: what has not arrived yet wherever it is to go stays. Where the log goes
 * nowhere, any may.
 */
export async function deliveredUpTo(app: Pick<App, 'store' | 'settings'>): Promise<number> {
  await app.settings.refresh()
  let least = Number.MAX_SAFE_INTEGER
  for (const { name, isOn } of allSinks)
    if (isOn(app.settings)) least = Math.min(least, (await readState(app, name)).delivered_to)
  return least
}
