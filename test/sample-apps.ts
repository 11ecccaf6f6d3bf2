import { afterAll, afterEach } from 'bun:test'
import type { App } from '../server/services/app.ts'
import type { Store } from '../server/store/index.ts'
import { openSampleStore } from './sample-store.ts'
import { dropAll } from './services/databases.ts'

/** For tests of services: apps on databases of their own, which are closed after each test. */
export function sampleApps() {
  const open: Store[] = []
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close()
  })
  afterAll(dropAll)
  /** In seconds; it stands still until the test moves it. */
  const clock = { now: 1_800_000_000 }
  async function openApp(url: string): Promise<App> {
    const store = await openSampleStore(url)
    open.push(store)
    return { store, settings: store.settings, now: () => clock.now } as App
  }
  return { clock, openApp }
}
