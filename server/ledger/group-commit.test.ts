import { expect, test } from 'bun:test'
import { GroupCommit } from './group-commit.ts'

/** Commits that end when they are told to. */
function openCommits() {
  const batches: (readonly string[])[] = []
  let end = (): void => {}
  const commits = new GroupCommit<string, string>(async items => {
    batches.push(items)
    await new Promise<void>(resolve => {
      end = resolve
    })
    return items
  }, 100)
  return { commits, batches, end: () => end() }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('who is alone waits for nobody', async () => {
  const { commits, batches, end } = openCommits()
  for (const item of ['a', 'b']) {
    const done = commits.submit(item)
    await Promise.resolve()
    expect(batches.at(-1)).toEqual([item])
    end()
    expect(await done).toBe(item)
  }
})

test('where several came together, who comes in the same turn of the event loop shares the next commit', async () => {
  const { commits, batches, end } = openCommits()
  const first = Promise.all([commits.submit('a'), commits.submit('b')])
  await turn()
  expect(batches).toEqual([['a', 'b']])
  const waiting = commits.submit('c')
  end()
  await first
  const late = commits.submit('d')
  await turn()
  expect(batches.slice(1)).toEqual([['c', 'd']])
  end()
  expect(await Promise.all([waiting, late])).toEqual(['c', 'd'])
  // Nobody waits any more; the crowd is remembered all the same.
  await turn()
  const next = commits.submit('e')
  await Promise.resolve()
  const beside = commits.submit('f')
  await turn()
  expect(batches.slice(2)).toEqual([['e', 'f']])
  end()
  expect(await Promise.all([next, beside])).toEqual(['e', 'f'])
})
