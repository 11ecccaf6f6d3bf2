import { log } from '../log.ts'
import type { App } from '../services/app.ts'
import type { BackgroundWork } from '../services/background-work.ts'
import { testAll } from '../services/channels/test.ts'
import type { ChannelTester } from '../store/channel-tester.ts'

const LOOK_MS = 20_000

/** Tests all channels every so many minutes, if the operator wants that; one node does it for all. */
export function startTestingChannels(app: App, tester: ChannelTester, work: BackgroundWork): () => void {
  const timer = setInterval(() => {
    testWhenDue(app, tester, work).catch(error => log.warn('channels could not be tested', { error }))
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function testWhenDue(app: App, tester: ChannelTester, work: BackgroundWork): Promise<void> {
  const minutes = app.settings.get('ChannelTestMinutes')
  if (minutes === 0) return
  await testAll(app, tester, work, app.now() - minutes * 60)
}
