import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { keepHouse } from '../../jobs/sweep.ts'
import { configureLog } from '../../log.ts'
import { createOutbound } from '../../outbound/client.ts'
import { clearContents } from '../../services/logs/clear-contents.ts'
import type { Store } from '../../store/index.ts'
import { findContent } from '../../store/log-contents.ts'
import type { Admitted } from '../callers/authorise.ts'
import { Contents } from './contents.ts'
import { endWith } from './transcript.ts'

const DAY = 86_400
const NOW = 1_800_000_000
/** What is stored is waited for, however long a busy machine takes. */
const PATIENT_MS = 180_000
const SENTENCE = 'the quick brown fox jumps over the lazy dog and is never seen again'

const stores: Store[] = []
let lines: string[] = []
beforeEach(() => {
  lines = []
  configureLog({ level: 'info', write: line => lines.push(line) })
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})
afterAll(async () => {
  configureLog({ level: 'info', write: line => process.stdout.write(line) })
  await dropAll()
})

async function open(url: string, scope = 'all'): Promise<Store> {
  const store = await openSampleStore(url)
  stores.push(store)
  await set(store, 'LogContentScope', scope)
  return store
}

async function set(store: Store, key: string, value: string): Promise<void> {
  await store.change('options', async transaction => {
    await transaction.deleteFrom('options').where('key', '=', key).execute()
    await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
  })
}

const admitted = { caller: { userId: 7 } } as unknown as Admitted

/** One call whose content is kept. */
function keep(contents: Contents, requestId: string, said: { request: string; answer: string }): void {
  const body = { text: said.request, json: {} }
  const transcript = contents.open({ requestId }, admitted, body)
  if (transcript) endWith(transcript, said.answer)
}

const countIn = async ({ db }: Store): Promise<number> =>
  (await db.selectFrom('log_contents').select('request_id').execute()).length

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'contents of calls, on %s',
  (_name, engine) => {
    test('are stored sealed, found by another process, and cleared when they are old', async () => {
      const url = await engine.freshUrl()
      const [here, there] = [await open(url), await open(url)]
      let now = NOW
      const contents = new Contents(here, () => now)
      // Large ones, and more than go into one statement.
      const long = Array.from({ length: 4000 }, (_, at) => `第${at}句 ${SENTENCE}. `).join('')
      keep(contents, 'call-long', { request: long, answer: 'short' })
      for (let at = 0; at < 120; at++) {
        keep(contents, `call-${at}`, { request: `${SENTENCE} ${at}?`, answer: `${SENTENCE} ${at}!` })
        now += 1
      }
      // A second word about the same call is heard by nobody.
      keep(contents, 'call-3', { request: 'another', answer: 'another' })
      await contents.finish(PATIENT_MS)
      expect(await countIn(there)).toBe(121)
      const found = await findContent(there, 'call-3')
      expect(found).toMatchObject({ userId: 7, createdAt: NOW + 3, requestLeftOut: 0, answerLeftOut: 0 })
      expect(found?.words).toHaveLength(0)
      expect(textOf(found?.request)).toBe(`${SENTENCE} 3?`)
      expect(textOf(found?.answer)).toBe(`${SENTENCE} 3!`)
      const cut = await findContent(there, 'call-long')
      expect(cut?.requestLeftOut).toBe(Buffer.byteLength(long) - 64 * 1024)
      expect(textOf(cut?.request)).toStartWith(long.slice(0, 1000))
      expect(textOf(cut?.request)).toEndWith(long.slice(-1000))
      expect(await findContent(there, 'call-x')).toBeUndefined()

      const { rows } = await sql<Record<string, unknown>>`select * from log_contents`.execute(there.db)
      expect(JSON.stringify(rows)).not.toContain('brown fox')
      // Moved to another call, it is not to be opened.
      const [row] = await there.db
        .selectFrom('log_contents')
        .selectAll()
        .where('request_id', '=', 'call-3')
        .execute()
      await there.db
        .updateTable('log_contents')
        .set({ content_sealed: row?.content_sealed ?? '' })
        .where('request_id', '=', 'call-4')
        .execute()
      await expect(findContent(there, 'call-4')).rejects.toThrow('unable to authenticate data')

      await clearContents(here, NOW + 10)
      expect(await countIn(here)).toBe(110)
      await clearContents(here, NOW + 10, () => false)
      await set(there, 'LogContentDays', '2')
      await set(there, 'LogContentScope', 'off')
      const house = { store: there, settings: there.settings, outbound: createOutbound() }
      const keepAt = (now: number, steadyNow = now) =>
        keepHouse({ ...house, now: () => now, steadyNow: () => steadyNow })
      await keepAt(NOW + 2 * DAY + 50)
      expect(await countIn(here)).toBe(70)
      // The clock is wrong: not so much time has passed.
      await keepAt(NOW + 900 * DAY, NOW + 2 * DAY + 51)
      expect(await countIn(here)).toBe(69)
      await keepAt(NOW + 3 * DAY)
      expect(await countIn(here)).toBe(0)
    })
  },
)

describe('contents of calls', () => {
  const sqlite = async () => open((await engines[0]?.freshUrl()) ?? '')

  test('that come faster than they are stored are dropped, and that is told once', async () => {
    const store = await sqlite()
    const contents = new Contents(store, () => NOW, 20_000)
    for (let at = 0; at < 100; at++) keep(contents, `call-${at}`, { request: SENTENCE, answer: SENTENCE })
    await contents.finish(PATIENT_MS)
    const stored = await countIn(store)
    expect(stored).toBeGreaterThan(5)
    expect(stored).toBeLessThan(20)
    expect(lines.filter(line => line.includes('contents of calls are not kept'))).toHaveLength(1)
    // What was stored has given its memory back.
    const more = new Contents(store, () => NOW, 20_000)
    for (let round = 0; round < 5; round++) {
      keep(more, `later-${round}`, { request: SENTENCE.repeat(100), answer: '' })
      await until(async () => (await countIn(store)) === stored + round + 1)
    }
    await more.finish(PATIENT_MS)
  })

  test('that cannot be stored are given up, and nobody else is bothered', async () => {
    const store = await sqlite()
    await sql`alter table log_contents rename to elsewhere`.execute(store.db)
    const contents = new Contents(store, () => NOW)
    keep(contents, 'call-1', { request: SENTENCE, answer: SENTENCE })
    await until(() => lines.some(line => line.includes('contents of calls are not kept')))
    await sql`alter table elsewhere rename to log_contents`.execute(store.db)
    keep(contents, 'call-2', { request: SENTENCE, answer: SENTENCE })
    await contents.finish(PATIENT_MS)
    expect(await countIn(store)).toBe(1)
    expect(lines.join('')).not.toContain('brown fox')
  })

  test('are kept of failures alone, where that is wanted or nothing else is logged', async () => {
    const store = await sqlite()
    const contents = new Contents(store, () => NOW)
    const call = (requestId: string, fails: boolean): void => {
      const transcript = contents.open({ requestId }, admitted, { text: SENTENCE, json: {} })
      if (fails) transcript?.fail()
      transcript?.hear(SENTENCE)
      transcript?.end()
    }
    await set(store, 'LogContentScope', 'errors')
    call('errors-good', false)
    call('errors-bad', true)
    await set(store, 'LogContentScope', 'all')
    await set(store, 'LogConsumeEnabled', 'false')
    call('unlogged-good', false)
    call('unlogged-bad', true)
    await set(store, 'LogContentScope', 'off')
    call('off-bad', true)
    await contents.finish(PATIENT_MS)
    const ids = await store.db.selectFrom('log_contents').select('request_id').orderBy('request_id').execute()
    expect(ids.map(({ request_id }) => request_id)).toEqual(['errors-bad', 'unlogged-bad'])
  })

  test('of failures are at most a megabyte of one user within a minute', async () => {
    const store = await sqlite()
    let now = NOW
    const contents = new Contents(store, () => now)
    const fail = (requestId: string, userId: number): void => {
      const text = `${SENTENCE} `.repeat(500)
      const caller = { caller: { userId } } as unknown as Admitted
      const transcript = contents.open({ requestId }, caller, { text, json: {} })
      transcript?.fail()
      transcript?.end()
    }
    for (let at = 0; at < 100; at++) fail(`call-${at}`, 7)
    fail('another', 8)
    now += 60
    fail('later', 7)
    await contents.finish(PATIENT_MS)
    const ids = await store.db.selectFrom('log_contents').select('request_id').execute()
    expect(ids).toHaveLength(Math.floor(2 ** 20 / (500 * (SENTENCE.length + 1))) + 2)
    expect(ids).toContainEqual({ request_id: 'another' })
    expect(ids).toContainEqual({ request_id: 'later' })
  })
})
