import { describe, expect, test } from 'bun:test'
import * as z from 'zod/mini'
import { endpoint } from '../../contract/endpoint.ts'
import { KeptText, keptText } from '../services/kept-text.ts'
import { writeOutput } from './write-output.ts'

const row = z.object({ id: z.int(), name: z.string() })
const call = { method: 'GET', path: '/api/x', access: 'public', summary: { zh: '', en: '' } } as const
const list = endpoint({ ...call, output: z.array(row) })
const page = endpoint({ ...call, output: z.object({ total: z.int(), rows: z.array(row), note: z.string() }) })
const bare = endpoint({ ...call, shape: 'bare', output: z.object({ rows: z.array(row) }) })

const rows = (many: number) =>
  Array.from({ length: many }, (_, id) => ({ id, name: `"${id}é`, secret: 'no' }))
const shown = (many: number) => rows(many).map(({ id, name }) => ({ id, name }))
const read = async (...given: Parameters<typeof writeOutput>) => {
  const written = await writeOutput(...given)
  return JSON.parse(typeof written === 'string' ? written : String(Buffer.concat(written)))
}

describe('writeOutput', () => {
  test.each([0, 1, 100, 101, 1000, 1733])(
    'writes %d rows whole, and only what the schema names',
    async many => {
      const envelope = (data: unknown) => ({ success: true, message: '', data })
      expect(await read(list, rows(many))).toEqual(envelope(shown(many)))
      const output = { total: many, rows: rows(many), note: '","rows":[]', secret: 'no' }
      expect(await read(page, output)).toEqual(
        envelope({ total: many, note: '","rows":[]', rows: shown(many) }),
      )
      expect(await read(bare, { rows: rows(many) })).toEqual({ rows: shown(many) })
    },
  )

  test('lets others run while it writes many', async () => {
    let turns = 0
    let isWriting = true
    const count = (): void => {
      turns++
      if (isWriting) setImmediate(count)
    }
    setImmediate(count)
    const slow = {
      id: 1,
      get name() {
        for (const until = performance.now() + 0.1; performance.now() < until; );
        return 'slow'
      },
    }
    await writeOutput(list, Array(320).fill(slow))
    isWriting = false
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  test('writes a long list in turns also where a call answers in one of two forms', async () => {
    const both = endpoint({ ...call, output: z.union([z.array(row), z.object({ items: z.array(row) })]) })
    for (const output of [rows(300), { items: rows(300) }]) {
      expect(await writeOutput(both, output)).toBeArray()
      const { data } = await read(both, output)
      expect(Array.isArray(data) ? data : data.items).toEqual(shown(300))
    }
    expect((await read(both, { items: rows(2) })).data).toEqual({ items: shown(2) })
  })

  test('refuses rows that are not as the schema says, wherever they stand', async () => {
    const wrong = [...rows(700), { id: 'seven', name: '' }]
    const failed = await Promise.resolve(writeOutput(list, wrong)).then(
      () => undefined,
      error => error,
    )
    expect(failed).toBeInstanceOf(z.core.$ZodError)
  })

  const names = endpoint({ ...call, output: z.array(z.object({ name: z.string() })) })
  const counting = () => {
    let reads = 0
    return {
      get id() {
        return ++reads
      },
      name: 'kept',
    }
  }

  test('writes rows once that carry their text, anew for another schema', async () => {
    const kept = Object.defineProperty(counting(), keptText, { value: new KeptText() })
    const many = Array.from({ length: 600 }, () => kept)
    for (let time = 0; time < 3; time++)
      expect((await read(list, many)).data[599]).toEqual({ id: 1, name: 'kept' })
    expect((await read(names, many)).data[0]).toEqual({ name: 'kept' })
    expect(kept.id).toBe(2)
  })

  test('writes rows once that share a text, unless they are not all there or not together', async () => {
    const of = (many: number, from = 0) => {
      const text = new KeptText()
      return Array.from({ length: many }, (_, at) => {
        const one = { id: from + at, name: `row ${from + at}`, [keptText]: text }
        text.add(one)
        return one
      })
    }
    const [some, more, single] = [of(70), of(50, 70), of(1, 120)]
    const plain = (all: readonly { id: number; name: string }[]) => all.map(({ id, name }) => ({ id, name }))
    const all = [...some, ...more, ...single]
    for (const given of [all, all.slice(0, 110), all.slice(1), [...more, ...some], all, [...some, ...some]])
      expect((await read(list, given)).data).toEqual(plain(given))
    expect((await read(names, all)).data).toEqual(all.map(({ name }) => ({ name })))
    expect((await read(list, all)).data).toEqual(plain(all))
    for (const each of all) each.name = 'changed since'
    expect((await read(list, all)).data.map(({ name }: { name: string }) => name)).not.toContain(
      'changed since',
    )
  })

  test('writes what is frozen once for each schema', async () => {
    const kept = Object.freeze(counting())
    const one = endpoint({ ...call, output: row })
    const name = endpoint({ ...call, output: z.object({ name: z.string() }) })
    const [first, second] = [await read(one, kept), await read(one, kept)]
    expect(second).toEqual(first)
    expect((await read(name, kept)).data).toEqual({ name: 'kept' })
    expect(await read(one, kept)).toEqual(first)
  })
})
