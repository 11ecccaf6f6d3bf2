import { afterAll, expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileJournal, readMoves } from '../../server/ledger/journal.ts'
import { until } from '../program.ts'
import type { Gateway } from './gateway.ts'
import { openHouse } from './house.ts'
import { makeCall, type Sight } from './load.ts'

const disks: string[] = []
// Also when a test did not end in time.
afterAll(() => {
  for (const path of disks) {
    Bun.spawnSync(['umount', '-l', path])
    rmdirSync(path)
  }
})

/**
 * Room for the database and for as much of its log as is ever there: where the log alone fills the disk, as it can on a
 * machine too busy to carry it over, nothing that is deleted later makes room for what stands in it.
 */
const OF_A_PROGRAM = '64m'
const OF_A_FILE = '8m'

function mountSmallDisk(size: string): string {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-disk-'))
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  if (mounted.exitCode !== 0)
    throw new Error(`this test mounts a small tmpfs and needs the right to: ${mounted.stderr.toString()}`)
  disks.push(path)
  return path
}

/** Takes all the room there is, to the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let size = 65_536; size >= 1; )
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        size = Math.floor(size / 2)
      }
  } finally {
    closeSync(file)
  }
}

/** No money, no room, or a provider that failed: nothing else is a reason to refuse. */
function isExpected({ call, refused }: Sight): boolean {
  const reasons = [undefined, 401, 403, 503]
  // A connection that is broken takes along what was not read yet, be it the first token.
  return (call.failsAfter === 0 || call.abrupt ? [...reasons, 500, 502] : reasons).includes(refused)
}

/**
 * Enough of them while the disk is full. What a call has set aside that failed then cannot be given back before there is
 * room: who had little is told of that from then on, and when all had little, nobody of the disk.
 */
function areRefused(sights: readonly Sight[]): boolean {
  const refused = sights.filter(sight => [401, 403, 503].includes(sight.refused ?? 0))
  return refused.length > 20 && refused.some(sight => sight.refused === 503)
}

async function readiness({ url }: Gateway): Promise<number> {
  return (await fetch(`${url}/readyz`)).status
}

test.concurrent('a full disk refuses calls, ends nothing, and heals when there is room again', async () => {
  const disk = mountSmallDisk(OF_A_PROGRAM)
  const house = await openHouse(`sqlite:${join(disk, 'tollgate.db')}`, { dataDir: disk })
  const filler = join(disk, 'filler')
  try {
    const gateway = await house.start()
    const load = house.load(gateway)
    for (const round of [1, 2, 3]) {
      load.start(30)
      const before = load.sights.length
      await until(() => load.sights.slice(before).some(({ done }) => done))
      fill(filler)
      // What the log has room for is used up first; then calls are refused in so many words.
      await until(() => areRefused(load.sights.slice(before)))
      await until(async () => (await readiness(gateway)) === 503)
      const odd = load.sights.filter(sight => !isExpected(sight))
      expect([round, ...odd]).toEqual([round])
      rmSync(filler)
      const freed = load.sights.length
      await until(() => load.sights.slice(freed).some(({ done }) => done))
      await until(async () => (await readiness(gateway)) === 200)
      await load.stop()
      expect(await house.faults(load.sights, { unharmed: true })).toEqual([])
    }
    const after = await makeCall(gateway, { id: 'after', payer: house.payers[0], tokens: 9, most: 9 })
    expect(after.done).toBe(true)
  } finally {
    await house.close()
  }
})

test.concurrent('on a full disk it is not ready, and stays so until there is room', async () => {
  const disk = mountSmallDisk(OF_A_PROGRAM)
  const house = await openHouse(`sqlite:${join(disk, 'tollgate.db')}`, { dataDir: disk })
  const filler = join(disk, 'filler')
  try {
    const gateway = await house.start()
    fill(filler)
    // Nobody calls: what is left of the write-ahead log is used up by its own beat.
    await until(async () => (await readiness(gateway)) === 503)
    for (let look = 0; look < 10; look++) {
      await Bun.sleep(500)
      expect(await readiness(gateway)).toBe(503)
    }
    expect(await (await fetch(`${gateway.url}/readyz`)).text()).toBe('the database cannot be written\n')
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    rmSync(filler)
    await until(async () => (await readiness(gateway)) === 200)
  } finally {
    await house.close()
  }
})

test('a journal on a full disk keeps every move it acknowledged and spoils none that follow', async () => {
  const disk = mountSmallDisk(OF_A_FILE)
  const path = join(disk, 'moves.jsonl')
  const filler = join(disk, 'filler')
  const journal = new FileJournal(path)
  const kept: string[] = []
  const offer = async (id: string): Promise<boolean> => {
    const taken = await journal.append({ kind: 'release', id, userId: 1, tokenId: 0 }).then(
      () => true,
      () => false,
    )
    if (taken) kept.push(id)
    return taken
  }
  for (let round = 0; round < 3; round++) {
    fill(filler)
    // The last page of the file still has room; then a line is cut in the middle.
    for (let at = 0; await offer(`${round}-${at}`); at++);
    expect(await offer(`${round}-refused`)).toBe(false)
    rmSync(filler)
    expect(await offer(`${round}-again`)).toBe(true)
    // Of several at once the first have room: whoever is told that it failed is not charged by the next process either.
    fill(filler)
    const several = Array.from({ length: 200 }, (_, at) => offer(`${round}-${at}-of-many`))
    expect((await Promise.all(several)).at(-1)).toBe(false)
    expect(readMoves(path).map(({ id }) => id)).toEqual(kept)
    rmSync(filler)
  }
  expect(readMoves(path).map(({ id }) => id)).toEqual(kept)
  expect(journal.pending().map(({ id }) => id)).toEqual(kept)
  await journal.clear(kept.length)
})
