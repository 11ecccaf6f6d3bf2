import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import { isSomebodyWaiting } from '../../../test/services/is-somebody-waiting.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { noticeHandlers } from '../notices/notice-settings.ts'
import { twoFactorHandlers } from '../sign-in/manage-two-factor.ts'
import { createAccount } from './create-account.ts'
import { retireAccount } from './own-account.ts'
import { issueSession } from './sessions.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()

async function signIn(app: App) {
  const username = 'leaver'
  const from = { address: '203.0.113.5', userAgent: '' }
  const { id, token } = await app.store.change('users', async transaction => {
    const made = await createAccount(app, transaction, { username, passwordHash: 'x' })
    return { id: made, token: await issueSession(app, transaction, { id: made, role: 1 }, from) }
  })
  const caller: Caller = { id, username, role: 1, status: 1, group: 'default', via: 'session' }
  const session = { token, set: () => {}, clear: () => {} }
  const rest = { params: {}, query: undefined, language: 'zh', authorization: null, signature: null } as const
  return { ...rest, ...from, caller, session, browser: session }
}
type SignedIn = Awaited<ReturnType<typeof signIn>>

const reminder = {
  notify_type: 'email',
  quota_warning_threshold: 5,
  notification_email: 'me@example.com',
  webhook_url: '',
  webhook_secret: '',
  bark_url: '',
  gotify_url: '',
  gotify_token: '',
  gotify_priority: 5,
} as const

const ways = [
  [
    'a reminder',
    ['user_notices'],
    async (app: App, call: SignedIn) => noticeHandlers(app).saveNoticeSetting({ ...call, body: reminder }),
  ],
  [
    'an authenticator app',
    ['two_factors', 'backup_codes'],
    async (app: App, call: SignedIn) => twoFactorHandlers(app).twoFactorSetup({ ...call, body: undefined }),
  ],
] as const

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test.each(ways)(
    'who sets up %s and is deleted just then leaves none behind',
    async (_what, tables, act) => {
      const app = await openApp(await engine.freshUrl())
      const call = await signIn(app)
      const { acting } = await app.store.transaction(async transaction => {
        await retireAccount(app, transaction, call.caller.id)
        const trying = act(app, call).then(
          () => 'done',
          error => error.code,
        )
        await Promise.race([trying, until(() => isSomebodyWaiting(app.store))])
        return { acting: trying }
      })
      expect(await acting).not.toBe('done')
      for (const table of tables)
        expect(await app.store.db.selectFrom(table).selectAll().execute()).toEqual([])
    },
  )
})
