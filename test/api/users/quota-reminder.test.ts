import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { credit } from '../../../server/ledger/entries.ts'
import { createOutbound } from '../../../server/outbound/client.ts'
import { REMIND_EVERY, remindLowQuota } from '../../../server/services/notices/quota-notices.ts'
import { newUser } from '../../../server/services/setup.ts'
import type { Store } from '../../../server/store/index.ts'
import { openSampleStore } from '../../sample-store.ts'
import { dropAll, engines } from '../../services/databases.ts'

afterAll(dropAll)

const outbound = createOutbound()
const received: { to: string; text: string }[] = []
let refusing = false
let port = 0
let smtp: SMTPServer

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusing) return done(new Error('not now'))
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        received.push({ to, text: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  port = await new Promise<number>(resolve => {
    const listening = smtp.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
})
afterAll(() => smtp.close(() => {}))

/** The parts of a mail, decoded. */
function wordsOf(mail: string): string[] {
  return mail
    .split(/\r\n--/)
    .filter(part => /^content-transfer-encoding: (base64|quoted-printable)/im.test(part))
    .map(part => {
      const body = part.slice(part.indexOf('\r\n\r\n') + 4)
      return /: base64/i.test(part) ? Buffer.from(body, 'base64').toString() : fromQuotedPrintable(body)
    })
    .map(text => text.replaceAll('\r\n', '\n'))
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

describe.each(engines.map(engine => [engine.name, engine] as const))('reminders on %s', (_name, engine) => {
  const stores: Store[] = []
  let at = 1_700_000_000
  const parts = (store: Store) => ({ store, settings: store.settings, outbound, now: () => at })

  beforeAll(async () => {
    const url = await engine.freshUrl()
    for (let node = 0; node < 2; node++) stores.push(await openSampleStore(url))
    for (const [key, value] of Object.entries({
      SMTPServer: '127.0.0.1',
      SMTPPort: String(port),
      SMTPFrom: 'gate@example.test',
      ServerAddress: 'https://gate.example',
      DisplayInCurrencyEnabled: 'false',
    }))
      await first().change('options', async transaction => {
        await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
      })
    await stores[1]?.bus.catchUp()
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
  })

  function first(): Store {
    const [store] = stores
    if (!store) throw new Error('no store')
    return store
  }

  interface Person {
    email?: string | null
    quota?: number
    used?: number
    status?: number
    deleted_at?: number
  }

  async function add(username: string, person: Person = {}): Promise<number> {
    const { email = `${username}@example.test`, quota = 999, used = 50, ...rest } = person
    const { db } = first()
    await db
      .insertInto('users')
      .values({ ...newUser(username, 'x', at), email, used_quota: used, ...rest })
      .execute()
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    if (quota > 0) await credit(first(), at, { kind: 'gift', ref: username, userId: id, amount: quota })
    return id
  }

  const use = (id: number, used_quota: number) =>
    first().db.updateTable('users').set({ used_quota }).where('id', '=', id).execute()

  /** Calls of theirs that run have money set aside. */
  async function setAside(users: readonly number[]): Promise<void> {
    const hold = {
      ...{ node_id: 'n', token_id: 0, amount: 5000, token_amount: 0, checkpoint: 0, charge: 0 },
      ...{ state: 'open', price: '{}', created_at: at, updated_at: at },
    }
    await first()
      .db.insertInto('holds')
      .values(users.map(user_id => ({ ...hold, id: `of ${user_id}`, user_id })))
      .execute()
  }

  /** Every node looks at the same moment. */
  async function look(): Promise<string[]> {
    received.length = 0
    await Promise.all(stores.flatMap(store => [remindLowQuota(parts(store)), remindLowQuota(parts(store))]))
    return received.map(({ to }) => to).sort()
  }

  test('those who run low are told once, in both languages; nobody else is', async () => {
    await add('ann')
    await add('<b>', { email: 'bold@example.test', quota: 0 })
    await add('rich', { quota: 1000 })
    await add('silent', { email: null })
    await add('unused', { used: 0 })
    await add('banned', { status: 2 })
    await add('gone', { deleted_at: 5 })
    await setAside([await add('busy', { quota: 10 })])
    expect(await look()).toEqual(['ann@example.test', 'bold@example.test'])
    const [plain = '', html = ''] = wordsOf(received.find(({ to }) => to.startsWith('ann'))?.text ?? '')
    expect(plain).toBe(
      'ann，您的额度即将用尽，当前剩余额度为 999，为了不影响您的使用，请及时充值。\n\n' +
        'ann, your quota is running low: 999 is left. Please top up in time.\n\n' +
        '充值链接 / Top up: https://gate.example/topup\n',
    )
    expect(html).toContain('<a href="https://gate.example/topup">')
    const [bare = '', escaped = ''] = wordsOf(received.find(({ to }) => to.startsWith('bold'))?.text ?? '')
    expect(bare).toContain('您的额度已用尽')
    expect(bare).toContain('your quota is used up: 0 is left')
    expect(escaped).toContain('&lt;b&gt;')
    expect(escaped).not.toContain('<b>')
  })

  test('who was told by a clock that was ahead is told again after it was set back', async () => {
    const id = await add('early', { email: 'early@example.test' })
    at += 30 * 86_400
    expect(await look()).toContain('early@example.test')
    at -= 30 * 86_400
    await use(id, 60)
    expect(await look()).toEqual(['early@example.test'])
    await use(id, 70)
    expect(await look()).toEqual([])
    await first().db.deleteFrom('users').where('id', '=', id).execute()
  })

  test('again only after two hours, and only when more was used', async () => {
    const id = await add('cora')
    expect(await look()).toEqual(['cora@example.test'])
    await use(id, 60)
    at += REMIND_EVERY - 1
    expect(await look()).toEqual([])
    at += 1
    expect(await look()).toEqual(['cora@example.test'])
    at += REMIND_EVERY
    expect(await look()).toEqual([])
    await use(id, 61)
    expect(await look()).toEqual(['cora@example.test'])
  })

  test('who has named another address or amount is told there, and below that', async () => {
    const wish = (user_id: number, email: string | null, threshold: number) =>
      first()
        .db.insertInto('user_notices')
        .values({ user_id, email, threshold, kind: 'email', way_sealed: null })
        .execute()
    await wish(await add('fred', { email: null }), 'fred@work.test', 0)
    await wish(await add('gina', { quota: 5000 }), 'gina@work.test', 5001)
    await wish(await add('hugo', { quota: 999 }), null, 999)
    expect(await look()).toEqual(['fred@work.test', 'gina@work.test'])
  })

  test('nobody’s mailbox is filled by accounts that all name it', async () => {
    for (let n = 0; n < 12; n++) {
      const user_id = await add(`many${n}`)
      const values = { user_id, email: 'victim@work.test', threshold: 0, kind: 'email', way_sealed: null }
      await first().db.insertInto('user_notices').values(values).execute()
    }
    expect(await look()).toEqual(Array(10).fill('victim@work.test'))
    await first().db.updateTable('users').set({ status: 2 }).where('username', 'like', 'many%').execute()
  })

  test('those who have much set aside keep nobody else from being told, however many they are', async () => {
    const { db } = first()
    const busy = Array.from({ length: 101 }, (_, n) => ({
      ...newUser(`busy${n}`, 'x', at),
      ...{ email: `busy${n}@example.test`, used_quota: 50 },
    }))
    await db.insertInto('users').values(busy).execute()
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where('username', 'like', 'busy_%')
      .orderBy('id')
      .execute()
    await setAside(rows.slice(-101).map(({ id }) => id))
    await add('last')
    expect(await look()).toEqual(['last@example.test'])
  })

  test('a mail that was not taken is tried again', async () => {
    await add('dan')
    refusing = true
    expect(await look()).toEqual([])
    refusing = false
    expect(await look()).toEqual([])
    at += 600
    expect(await look()).toEqual(['dan@example.test'])
    at += 600
    expect(await look()).toEqual([])
  })

  test('nothing is sent while there is no mail server or no threshold', async () => {
    await add('eve')
    const save = async (key: string, value: string): Promise<void> => {
      for (const store of stores)
        await store.change('options', async transaction => {
          await transaction.deleteFrom('options').where('key', '=', key).execute()
          await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
        })
    }
    await save('QuotaRemindThreshold', '0')
    expect(await look()).toEqual([])
    await save('QuotaRemindThreshold', '1000')
    await save('SMTPServer', '')
    expect(await look()).toEqual([])
    await save('SMTPServer', '127.0.0.1')
    expect(await look()).toEqual(['eve@example.test'])
  })
})
