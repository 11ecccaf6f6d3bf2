import { expect, test } from 'bun:test'
import { inPortions } from './portions.ts'

test('no portion is more than a server takes at once, none is empty, and all rows come in their order', () => {
  const long = { content: '长'.repeat(300_000), quota: 1 }
  const rows = [long, ...Array.from({ length: 500 }, (_, at) => ({ content: '短'.repeat(9000), at })), long]
  const portions = [...inPortions(rows)]
  expect(portions.flat()).toEqual(rows)
  const bytes = (some: object[]) => Buffer.byteLength(JSON.stringify(some))
  for (const some of portions) expect(some.length === 1 || bytes(some) < 1_000_000).toBe(true)
  expect(portions.length).toBeLessThan(30)
  expect([...inPortions([])]).toEqual([])
})
