import { afterAll, expect, test } from 'bun:test'
import { POLL_SECONDS } from '../../server/tasks/poll.ts'
import { rootClient } from '../client.ts'
import { Mailbox } from '../mailbox.ts'
import { morePatience } from '../more-patience.ts'
import { until } from '../program.ts'
import { openRig, type Rig } from '../relay/rig.ts'
import { ask, chat } from '../relay/ways.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { dropAll } from '../services/databases.ts'
import { openTaskHouse, type TaskHouse } from '../tasks/house.ts'
import { startOpenai } from '../upstreams/index.ts'
import { startSuno } from '../upstreams/suno/start-suno.ts'

afterAll(dropAll)

/** Passes on what it is asked, but of one address never says anything. */
function startSilentAbout(path: string, url = '') {
  let asked = 0
  const server = serveLoopback(async request => {
    const { pathname, search } = new URL(request.url)
    if (pathname === path) {
      asked++
      await Promise.withResolvers<never>().promise
    }
    const { method, headers } = request
    return fetch(url + pathname + search, { method, headers, body: await request.text() })
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    get asked() {
      return asked
    },
    stop: () => server.stop(true),
  }
}

/** It has time to take leave: who is killed for taking too long leaves its name in the books. */
async function stopsInOrder({ store, program }: TaskHouse): Promise<void> {
  const named = () => store.db.selectFrom('nodes').select('id').execute()
  const before = await named()
  await program.stop()
  expect((await named()).length).toBe(before.length - 1)
}

/** Vendors are asked soon, and waited for longer than a test takes. */
const patient = morePatience({ [POLL_SECONDS * 1000]: 100, 30000: 3_600_000, 60000: 3_600_000 })

test('a program that ends waits for no vendor who does not tell of a job', async () => {
  const suno = startSuno()
  const silent = startSilentAbout('/suno/fetch', suno.url)
  const house = await openTaskHouse(async books => {
    await books.addChannel({ type: 36, baseUrl: silent.url, key: suno.key, models: ['suno_music'] })
  }, patient)
  try {
    const { json } = await house.call('POST', '/suno/submit/music', { prompt: 'la la' })
    expect(json.code).toBe('success')
    await until(() => silent.asked > 0)
    await stopsInOrder(house)
    expect(await house.differences()).toEqual([])
  } finally {
    await house.close()
    await silent.stop()
    await suno.stop()
  }
})

test('nor for one who does not tell what is left on a channel', async () => {
  const silent = startSilentAbout('/v1/dashboard/billing/subscription')
  const house = await openTaskHouse(async books => {
    await books.addChannel({ type: 1, baseUrl: silent.url, key: 'sk-any', models: ['gpt-4o'] })
  }, patient)
  try {
    const root = await rootClient(house.url)
    expect((await root.get('/api/channel/update_balance')).json.success).toBe(true)
    await until(() => silent.asked > 0)
    await stopsInOrder(house)
  } finally {
    await house.close()
    await silent.stop()
  }
})

/** A mail server that greets nobody before it is told to. */
async function openSlowMailbox() {
  const greeted = Promise.withResolvers<void>()
  let isAsked = false
  const mailbox = await Mailbox.open({
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      isAsked = true
      greeted.promise.then(() => done())
    },
  })
  const settings = { SMTPServer: '127.0.0.1', SMTPPort: String(mailbox.port), SMTPFrom: 'gate@example.com' }
  return { mailbox, settings, isAsked: () => isAsked, greet: () => greeted.resolve() }
}

/** Ends while a letter is on its way, which the mail server takes only after a while. */
async function endsLate({ program }: Pick<Rig, 'program'>, greet: () => void): Promise<void> {
  const ended = program.stop()
  // Who does not wait is gone by then.
  await Promise.race([ended, Bun.sleep(3000)])
  greet()
  expect(await ended).toBe(0)
}

test('but a letter that is on its way is waited for: its reader counts as told', async () => {
  const { mailbox, settings, isAsked, greet } = await openSlowMailbox()
  const rig = await openRig(
    async books => {
      const id = await books.addUser({ quota: 10 })
      const values = { email: 'low@example.com', used_quota: 50 }
      await books.store.db.updateTable('users').set(values).where('id', '=', id).execute()
      const options = { ...settings, QuotaRemindThreshold: '1000' }
      for (const [name, value] of Object.entries(options)) await books.setOption(name, value)
    },
    // It looks soon, and waits for long.
    morePatience({ 60000: 100, 10000: 60_000 }),
  )
  try {
    await until(isAsked)
    await endsLate(rig, greet)
    expect(mailbox.letters.map(({ to }) => to)).toEqual([['low@example.com']])
  } finally {
    await rig.close()
    await mailbox.close()
  }
})

test('and one that tells of a channel that is disabled by now', async () => {
  const { mailbox, settings, isAsked, greet } = await openSlowMailbox()
  const fake = await startOpenai()
  let key = ''
  const rig = await openRig(
    async books => {
      key = (await books.addToken({ userId: await books.addUser() })).key
      await books.addChannel({ type: 1, baseUrl: fake.url, key: 'sk-another', models: [chat.model] })
      const options = { ...settings, AutomaticDisableChannelEnabled: 'true' }
      for (const [name, value] of Object.entries(options)) await books.setOption(name, value)
    },
    morePatience({ 10000: 60_000 }),
  )
  try {
    const { db } = rig.store
    await db.updateTable('users').set({ email: 'root@example.com' }).where('role', '=', 100).execute()
    await ask(rig.url, chat, { key })
    await until(isAsked)
    await endsLate(rig, greet)
    expect(mailbox.letters.map(({ to }) => to)).toEqual([['root@example.com']])
  } finally {
    await rig.close()
    await mailbox.close()
    await fake.stop()
  }
})
