import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { newProgress, type OldBooks, openOldBooks } from '../../../test/services/old-books.ts'
import { filesOf, readMonth } from '../../ledger/closing/closed-months.ts'
import { addToDigest } from '../../ledger/closing/line.ts'

/** More than fit into one portion, on every engine. */
const CALLS = 80

const open: OldBooks[] = []
afterEach(async () => {
  for (const books of open.splice(0)) await books.end()
})
afterAll(dropAll)

const linesOf = (books: OldBooks, name: string): string[] =>
  gunzipSync(readFileSync(join(books.dataDir, 'books', name)))
    .toString()
    .trimEnd()
    .split('\n')

for (const engine of engines)
  describe(`closing books on ${engine.name}`, () => {
    async function openBooks(): Promise<OldBooks> {
      const books = await openOldBooks(await engine.freshUrl())
      open.push(books)
      return books
    }

    test('folds the calls of whole months into one entry for each user and token', async () => {
      const books = await openBooks()
      const [ann = 0, ben = 0] = books.userIds
      const [limited = 0, unlimited = 0] = books.tokenIds
      await books.call(100, { tokenId: limited })
      await books.call(20, { tokenId: limited })
      await books.call(7, { tokenId: unlimited })
      await books.call(5, { userId: ben })
      await books.call(0)
      await books.refund(await books.call(1000))
      books.setDay('2026-02-10')
      await books.call(3, { userId: ben })
      books.setDay('2026-03-10')
      const young = await books.call(4, { userId: ben })
      const before = await books.balances()
      books.setDay('2026-05-20')
      expect(await books.close()).toMatchObject({ total: 6, done: 6 })
      books.setDay('2026-06-01')
      expect(await books.close()).toMatchObject({ total: 1, done: 1 })
      expect(await books.balances()).toBe(before)
      expect(await books.faults()).toEqual([])
      expect(await books.entriesOf('closed')).toEqual([
        { ref: `2026-01:${ann}:0`, user_amount: 0, token_amount: 0 },
        { ref: `2026-01:${ann}:${limited}`, user_amount: -120, token_amount: -120 },
        { ref: `2026-01:${ann}:${unlimited}`, user_amount: -7, token_amount: 0 },
        { ref: `2026-01:${ben}:0`, user_amount: -5, token_amount: 0 },
        { ref: `2026-02:${ben}:0`, user_amount: -3, token_amount: 0 },
      ])
      expect((await books.entriesOf('charge')).map(({ ref }) => ref)).toEqual([young])
      expect(await books.entriesOf('refund')).toEqual([])
      expect(await books.count('holds')).toBe(1)
      const january = await readMonth(books.store, '2026-01')
      expect(january).toMatchObject({ state: 'closed', calls: 6, entries: 6, user_amount: -132 })
      expect(await readMonth(books.store, '2026-02')).toMatchObject({ previous_hash: january.hash })
    })

    test('keeps everything unless it is told otherwise', async () => {
      const books = await openBooks()
      await books.call(100)
      books.setDay('2027-05-20')
      await books.setOptions({ BooksMonths: '0' })
      await books.close()
      expect([await books.count('holds'), await books.count('closed_months')]).toEqual([1, 0])
    })

    test('what a call was for, and in which limits it counted, goes into the file with it', async () => {
      const books = await openBooks()
      const [plain, labelled] = [await books.call(20), await books.call(30)]
      const more = { labels: 'env:prod,job:1', limits: '[[7,0,0]]' }
      await books.store.db.updateTable('holds').set(more).where('id', '=', labelled).execute()
      books.setDay('2026-05-20')
      await books.close()
      expect(await books.count('holds')).toBe(0)
      const lines = linesOf(books, '2026-01.ndjson.gz').map(line => JSON.parse(line) as { id: string })
      expect(lines.find(({ id }) => id === labelled)).toMatchObject(more)
      for (const name of Object.keys(more))
        expect(lines.find(({ id }) => id === plain)).not.toHaveProperty(name)
      expect(await books.faults()).toEqual([])
    })

    test('writes what it folds to a file first, whose lines are what was folded', async () => {
      const books = await openBooks()
      const ids = [await books.call(100), await books.call(0), await books.call(3)].sort()
      books.setDay('2026-05-20')
      await books.close()
      const { files, digest } = await readMonth(books.store, '2026-01')
      const [file, ...others] = filesOf({ files })
      expect([file?.name, file?.calls, others.length]).toEqual(['2026-01.ndjson.gz', 3, 0])
      expect(readdirSync(join(books.dataDir, 'books'))).toEqual(['2026-01.ndjson.gz'])
      const bytes = readFileSync(join(books.dataDir, 'books', '2026-01.ndjson.gz'))
      expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(file?.sha256 ?? '')
      const lines = linesOf(books, '2026-01.ndjson.gz')
      expect(lines.map(line => (JSON.parse(line) as { id: string }).id).sort()).toEqual(ids)
      expect(lines.reduce(addToDigest, '')).toBe(digest)
    })

    test('writes no file where none is wanted', async () => {
      const books = await openBooks()
      await books.setOptions({ BooksFile: 'false' })
      await books.call(100)
      books.setDay('2026-05-20')
      await books.close()
      expect(() => readdirSync(join(books.dataDir, 'books'))).toThrow('ENOENT')
      expect(await readMonth(books.store, '2026-01')).toMatchObject({
        state: 'closed',
        calls: 1,
        files: '[]',
      })
      expect(await books.faults()).toEqual([])
    })

    test('deletes nothing where the file cannot be written', async () => {
      const books = await openBooks()
      await books.call(100)
      books.setDay('2026-05-20')
      writeFileSync(join(books.dataDir, 'books'), 'in the way')
      expect(await books.close().then(() => '', String)).toContain('EEXIST')
      expect(await books.count('holds')).toBe(1)
      expect(await books.faults()).toEqual([])
    })

    test('leaves what is not over: open holds, tasks, batches and responses that run, claims of plans', async () => {
      const books = await openBooks()
      const [ann = 0] = books.userIds
      const [task, batch, claimed] = [await books.call(5), await books.call(6), await books.call(7)]
      const [response, cache, container] = [await books.call(4), await books.call(3), await books.call(2)]
      const { db } = books.store
      await db
        .insertInto('task_runs')
        .values({
          ...{
            id: 't',
            platform: 'suno',
            action: '',
            user_id: ann,
            channel_id: 0,
            key_hash: '',
            model: '',
            calls: 1,
          },
          ...{
            request_id: task,
            upstream_id: '',
            state: 'running',
            hook: '',
            submitted_at: 1,
            deadline_at: 1,
          },
          ...{ next_poll_at: 1, claim: '' },
        })
        .execute()
      await db
        .insertInto('batches')
        .values({
          ...{
            id: 'b',
            user_id: ann,
            token_id: 0,
            channel_id: 0,
            key_hash: '',
            upstream_id: '',
            file_id: '',
          },
          ...{ endpoint: '', model: '', group: '', request_id: batch, state: 'running', line_count: 0 },
          ...{ input_bound: 0, completion_window: '', metadata: '', data: '', output_file_id: '' },
          ...{ error_file_id: '', submitted_at: 1, lost_at: 0, checked_at: 0, next_poll_at: 1, claim: '' },
        })
        .execute()
      await db
        .insertInto('background_responses')
        .values({
          ...{ request_id: response, response_id: 'r', user_id: ann, token_id: 0, channel_id: 0 },
          ...{ key_hash: '', model: '', group: '', streams: 0, state: 'running', terms: '{}', seen_to: -1 },
          ...{ seen_tokens: 0, submitted_at: 1, lost_at: 0, next_poll_at: 1 },
        })
        .execute()
      await db
        .insertInto('gemini_caches')
        .values({
          ...{
            id: 'c',
            user_id: ann,
            made_by: 0,
            token_id: 0,
            channel_id: 0,
            key_hash: '',
            upstream_name: '',
          },
          ...{ model: '', group: '', title: '', state: 'making', request_id: cache, storage_price: '1' },
          ...{ has_sound: 0, tokens: 1, created_at: 1, changed_at: 1, expires_at: 1, paid_until: 1 },
          wanted_until: 1,
        })
        .execute()
      await db
        .insertInto('openai_containers')
        .values({
          ...{
            mark: 'o',
            id: 'o',
            user_id: ann,
            token_id: 0,
            channel_id: 0,
            key_hash: '',
            model: '',
            group: '',
          },
          ...{ request_id: container, state: 'making', title: '', gigabytes: 1, price: '1', created_at: 1 },
          ...{ changed_at: 1, paid_until: 0 },
        })
        .execute()
      await db
        .insertInto('subscription_holds')
        .values({ hold_id: claimed, subscription_id: 1, waiting: 1 })
        .execute()
      const stays = books.newId()
      await books.ledger.hold({ id: stays, userId: ann, tokenId: 0 }, { most: 9, least: 1, price: '{}' })
      await books.call(8)
      books.setDay('2026-05-20')
      await books.close()
      const left = await db.selectFrom('holds').select('id').orderBy('id').execute()
      expect(left.map(({ id }) => id)).toEqual(
        [task, batch, claimed, response, cache, container, stays].sort(),
      )
      expect(await books.faults()).toEqual([])
      // The task fails after all: its money is found, and what is over by then goes with the next month.
      expect(await books.refund(task)).toBe(5)
      await db.updateTable('task_runs').set({ state: 'failed' }).execute()
      for (const table of ['batches', 'background_responses'] as const)
        await db.updateTable(table).set({ state: 'ended' }).execute()
      await db.updateTable('gemini_caches').set({ state: 'kept' }).execute()
      await db.updateTable('openai_containers').set({ state: 'kept' }).execute()
      await db.updateTable('subscription_holds').set({ waiting: 0 }).execute()
      await books.ledger.settle({ id: stays, userId: ann, tokenId: 0 }, 9, undefined)
      books.setDay('2026-02-10')
      await books.call(1)
      books.setDay('2026-06-20')
      await books.close()
      // Refunded and settled in May.
      const later = await db.selectFrom('holds').select('id').orderBy('id').execute()
      expect(later.map(({ id }) => id)).toEqual([task, stays].sort())
      expect(await books.count('subscription_holds')).toBe(0)
      books.setDay('2026-05-21')
      await books.call(1)
      books.setDay('2026-09-20')
      await books.close()
      expect(await books.count('holds')).toBe(0)
      expect(await books.faults()).toEqual([])
    })

    test('goes on where it was broken off, and two at once fold nothing twice', async () => {
      const books = await openBooks()
      for (let count = 0; count < CALLS; count++) await books.call(1 + count)
      const before = await books.balances()
      books.setDay('2026-05-20')
      const stop = new AbortController()
      const progress = newProgress(stop.signal)
      const watched = {
        ...books.store,
        batch: (async (decision, argument) => {
          stop.abort()
          return books.store.batch(decision, argument)
        }) as OldBooks['store']['batch'],
      }
      expect(await books.close({ store: watched, progress }).then(() => '', String)).toContain('abort')
      const half = await books.count('holds')
      expect(half).toBeGreaterThan(0)
      expect(half).toBeLessThan(CALLS)
      expect(await readMonth(books.store, '2026-01')).toMatchObject({ state: 'closing', hash: '' })
      expect(await books.faults()).toEqual([])
      await Promise.allSettled([books.close(), books.close(), books.close()])
      await books.close()
      expect(await readMonth(books.store, '2026-01')).toMatchObject({
        state: 'closed',
        calls: CALLS,
        entries: CALLS,
      })
      expect(await books.balances()).toBe(before)
      expect(await books.faults()).toEqual([])
    })

    test('is in nobody’s way: calls that are charged meanwhile are, each once', async () => {
      const books = await openBooks()
      const [, ben = 0] = books.userIds
      for (let count = 0; count < CALLS; count++) await books.call(1, { userId: ben })
      books.setDay('2026-05-20')
      const closing = books.close()
      let isOver = false
      const ended = closing.finally(() => {
        isOver = true
      })
      let charged = 0
      const charge = async (): Promise<void> => {
        while (!isOver || charged < 50) {
          await books.call(1, { userId: ben })
          charged++
        }
      }
      await Promise.all([ended, ...Array.from({ length: 20 }, charge)])
      expect(await readMonth(books.store, '2026-01')).toMatchObject({ state: 'closed', user_amount: -CALLS })
      expect((await books.entriesOf('charge')).length).toBe(charged)
      const wallets = await books.store.db.selectFrom('users').select('quota').where('id', '=', ben).execute()
      expect(wallets).toEqual([{ quota: 100_000 - CALLS - charged }])
      expect(await books.faults()).toEqual([])
    })

    test('shows whoever alters what was closed', async () => {
      const books = await openBooks()
      await books.call(100)
      books.setDay('2026-02-10')
      await books.call(100)
      books.setDay('2026-06-20')
      await books.close()
      expect(await books.faults()).toEqual([])
      const { db } = books.store
      const unaltered = 'closed months follow one another, unaltered'
      await db.updateTable('closed_months').set({ calls: 2 }).where('month', '=', '2026-01').execute()
      expect(await books.faults()).toMatchObject([{ check: unaltered, subject: '2026-01' }])
      await db.updateTable('closed_months').set({ calls: 1 }).where('month', '=', '2026-01').execute()
      expect(await books.faults()).toEqual([])
      await db
        .updateTable('ledger_entries')
        .set({ user_amount: -99 })
        .where('kind', '=', 'closed')
        .where('ref', 'like', '2026-01%')
        .execute()
      expect(await books.faults()).toMatchObject([
        { check: 'wallet = entries - open holds' },
        { check: 'closed months = their entries', expected: -100, found: -99 },
      ])
      await db.updateTable('ledger_entries').set({ user_amount: -100 }).where('kind', '=', 'closed').execute()
      await db.deleteFrom('closed_months').where('month', '=', '2026-01').execute()
      expect(await books.faults()).toMatchObject([
        { check: 'closed months = their entries' },
        { check: unaltered, subject: '2026-02' },
      ])
    })
  })
