import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileJournal, readMoves } from './journal.ts'
import type { Move } from './moves.ts'
import { adoptJournals, openJournal } from './orphan-journals.ts'

const opened: FileJournal[] = []
const journalAt = (path: string): FileJournal => keep(new FileJournal(path))
function keep(journal: FileJournal): FileJournal {
  opened.push(journal)
  return journal
}
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close()
})

const folder = (): string => mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
/** No system counts its processes so far. */
const NOBODY = 2 ** 22 + 1
const move = (id: string): Move => ({ kind: 'release', id, userId: 1, tokenId: 0 })

test('what was appended is there after a restart, and the file goes when all is done', async () => {
  const path = join(folder(), 'j.jsonl')
  const journal = journalAt(path)
  expect(existsSync(path)).toBe(false)
  await Promise.all(['a', 'b', 'c'].map(id => journal.append(move(id))))
  expect(
    journalAt(path)
      .pending()
      .map(({ id }) => id),
  ).toEqual(['a', 'b', 'c'])
  await journal.append(move('d'))
  await journal.clear(3)
  expect(journal.pending().map(({ id }) => id)).toEqual(['d'])
  await journal.clear(1)
  expect(existsSync(path)).toBe(false)
  await journal.append(move('e'))
  expect(journalAt(path).pending()).toHaveLength(1)
})

test('a torn last line is passed over', async () => {
  const path = join(folder(), 'j.jsonl')
  await journalAt(path).append(move('a'))
  appendFileSync(path, '{"kind":"rel')
  expect(readMoves(path).map(({ id }) => id)).toEqual(['a'])
})

test('a dead process’ journal is taken over once, a living one’s is left alone', async () => {
  const place = folder()
  const child = Bun.spawn(['sleep', '30'])
  const line = (id: string) => `${JSON.stringify(move(id))}\n`
  writeFileSync(join(place, `${hostname()}.${NOBODY}.ab.jsonl`), line('dead'))
  writeFileSync(join(place, `${hostname()}.${child.pid}.cd.jsonl`), line('alive'))
  writeFileSync(join(place, `elsewhere.1.ef.jsonl`), line('foreign'))
  const [first, second] = [keep(openJournal(place)), keep(openJournal(place))]
  const adopted = [await adoptJournals(place, first), await adoptJournals(place, second)]
  child.kill()
  expect(adopted[0]).toBe(1)
  expect(first.pending().map(({ id }) => id)).toEqual(['dead'])
  expect(readdirSync(place).filter(name => name.includes(String(NOBODY)))).toEqual([])
  expect(readdirSync(place).some(name => name.startsWith('elsewhere'))).toBe(true)
})

test('another machine’s journal is taken over when its time is long past, or still to come', async () => {
  const place = folder()
  const leave = (name: string, offSeconds: number): void => {
    const path = join(place, `${name}.1.ef.jsonl`)
    writeFileSync(path, `${JSON.stringify(move(name))}\n`)
    const at = Date.now() / 1000 + offSeconds
    utimesSync(path, at, at)
  }
  leave('silent', -300)
  leave('ahead', 3600)
  leave('fresh', -30)
  const journal = keep(openJournal(place))
  await adoptJournals(place, journal)
  const ids = journal.pending().map(({ id }) => id)
  expect(ids.sort()).toEqual(['ahead', 'silent'])
})

describe('whoever has the number of its process by then, a journal is taken over', () => {
  /** Where somebody lives who has the number of a process that left these, and keeps no journal. */
  const leave = (place: string, mark: string, offSeconds: number): void => {
    const path = join(place, `${hostname()}.${process.ppid}.${mark}.jsonl`)
    writeFileSync(path, `${JSON.stringify(move(mark))}\n`)
    const at = Date.now() / 1000 + offSeconds
    utimesSync(path, at, at)
  }
  const another = (mark: string): string => [...mark].map(digit => (digit === '0' ? '1' : '0')).join('')
  const open = () => {
    const place = folder()
    const own = keep(openJournal(place))
    const [, machine = '', container = ''] =
      /\.([0-9a-f]{8})([0-9a-f]{8})[0-9a-f]{8}\.jsonl$/.exec(own.path) ?? []
    expect([machine, container]).not.toContain('')
    return { place, own, machine, container }
  }

  test('after a restart of the machine', async () => {
    const { place, own, machine, container } = open()
    const before = another(machine)
    leave(place, `${before}0a0b0c0d`, -300)
    leave(place, `${before}${container}0a0b0c0d`, -300)
    // Another machine may have the same name.
    leave(place, `${before}0a0b0c0e`, -30)
    leave(place, `${machine}0a0b0c0d`, -300)
    // Of a version that did not say when the machine was started.
    leave(place, '0a0b0c0d', -300)
    await adoptJournals(place, own)
    const ids = own.pending().map(({ id }) => id)
    expect(ids.sort()).toEqual([`${before}0a0b0c0d`, `${before}${container}0a0b0c0d`].sort())
  })

  test('after a restart of the container', async () => {
    const { place, own, machine, container } = open()
    const before = another(container)
    leave(place, `${machine}${before}0a0b0c0d`, -300)
    // Another container on the machine may have the same name.
    leave(place, `${machine}${before}0a0b0c0e`, -30)
    leave(place, `${machine}${container}0a0b0c0d`, -300)
    await adoptJournals(place, own)
    expect(own.pending()).toEqual([move(`${machine}${before}0a0b0c0d`)])
  })
})

test('a move that comes in while the file is being taken away is still on disk afterwards', async () => {
  const path = join(folder(), 'j.jsonl')
  const journal = journalAt(path)
  for (let round = 0; round < 50; round++) {
    await journal.append(move(`first-${round}`))
    const both = [journal.append(move(`second-${round}`)), journal.clear(1)]
    await Promise.all(round % 2 === 0 ? both : both.reverse())
    expect(readMoves(path)).toContainEqual(move(`second-${round}`))
    await journal.clear(1)
  }
})

test('what could not be cut off takes nothing with it that is written after it', async () => {
  const path = join(folder(), 'moves.jsonl')
  const journal = journalAt(path)
  await journal.append(move('first'))
  const handle = await open(path)
  const files = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const fail = async (id: string, alsoCut: boolean): Promise<void> => {
    const sync = spyOn(files, 'datasync').mockRejectedValueOnce(new Error('the disk is away'))
    const cut = spyOn(files, 'truncate')
    if (alsoCut) cut.mockRejectedValueOnce(new Error('the disk is away'))
    try {
      await expect(journal.append(move(id))).rejects.toThrow('the disk is away')
    } finally {
      sync.mockRestore()
      cut.mockRestore()
    }
  }
  await fail('stays', true)
  await journal.append(move('second'))
  await fail('goes', false)
  await journal.append(move('third'))
  expect(readMoves(path).map(({ id }) => id)).toEqual(['first', 'stays', 'second', 'third'])
  expect(journal.pending().map(({ id }) => id)).toEqual(['first', 'second', 'third'])
})

test('a journal whose heir died while taking it over is taken over by the next', async () => {
  const place = folder()
  writeFileSync(join(place, `${hostname()}.${NOBODY}.ab.jsonl`), `${JSON.stringify(move('left'))}\n`)
  const script = `
    import { FileJournal } from '${join(import.meta.dir, 'journal.ts')}'
    import { adoptJournals, openJournal } from '${join(import.meta.dir, 'orphan-journals.ts')}'
    FileJournal.prototype.append = () => process.exit(9)
    await adoptJournals('${place}', openJournal('${place}'))`
  for (let heir = 0; heir < 3; heir++)
    expect(Bun.spawnSync([process.execPath, '-e', script]).exitCode).toBe(9)
  const journal = keep(openJournal(place))
  expect(await adoptJournals(place, journal)).toBe(1)
  expect(journal.pending()).toEqual([move('left')])
})
