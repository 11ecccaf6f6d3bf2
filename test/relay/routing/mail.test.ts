import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { openRig, type Rig } from '../rig.ts'

let rig: Rig
let smtp: SMTPServer
let upstream: Bun.Server<unknown>
const received: { to: string[]; text: string }[] = []
let key = ''
let channel = 0

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, text: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  const port = await new Promise<number>(resolve => {
    const listening = smtp.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  upstream = serveLoopback(() =>
    Response.json(
      { error: { message: 'Incorrect API key provided: the-secret-key', code: 'invalid_api_key' } },
      { status: 401 },
    ),
  )
  rig = await openRig(async seed => {
    const userId = await seed.addUser()
    await seed.store.db
      .insertInto('users')
      .values({ ...(await rootRow(seed)), email: 'root@example.test' })
      .execute()
    key = (await seed.addToken({ userId })).key
    channel = await seed.addChannel({
      type: 1,
      name: 'First',
      baseUrl: `http://127.0.0.1:${upstream.port}`,
      key: 'the-secret-key',
      models: ['gpt-4o-mini'],
    })
    await seed.setOption('AutomaticDisableChannelEnabled', 'true')
    await seed.setOption('SMTPServer', '127.0.0.1')
    await seed.setOption('SMTPPort', String(port))
    await seed.setOption('SMTPFrom', 'gate@example.test')
  })
})

afterAll(async () => {
  await rig.close()
  await upstream.stop(true)
  smtp.close(() => {})
})

/** A super administrator besides the one that the program makes. */
async function rootRow(seed: Parameters<Parameters<typeof openRig>[0] & object>[0]) {
  const id = await seed.addUser({ role: 100, quota: 0 })
  const row = await seed.store.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await seed.store.db.deleteFrom('users').where('id', '=', id).execute()
  return row
}

test('a channel whose key is refused is taken out of service, and root is told by mail, without the key', async () => {
  const answer = await fetch(`${rig.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(answer.status).toBe(502)
  expect(await answer.text()).not.toContain('the-secret-key')
  const mail = await until(() => received[0])
  expect(mail.to).toEqual(['root@example.test'])
  expect(mail.text).toContain('gate@example.test')
  expect(mail.text).not.toContain('the-secret-key')
  const row = await until(() =>
    rig.store.db
      .selectFrom('channels')
      .select(['status', 'other_info'])
      .where('id', '=', channel)
      .where('status', '=', 3)
      .executeTakeFirst(),
  )
  const info = JSON.parse(row.other_info) as { status_reason: string; status_time: number }
  expect(info.status_reason).toContain('invalid_api_key')
  expect(info.status_reason).not.toContain('the-secret-key')
  expect(info.status_time).toBeGreaterThan(1_700_000_000)
})
