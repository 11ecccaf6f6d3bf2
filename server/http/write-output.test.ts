import { describe, expect, test } from 'bun:test'
import * as z from 'zod/mini'
import { endpoint } from '../../contract/endpoint.ts'
import { writeOutput } from './write-output.ts'

const row = z.object({ id: z.int(), name: z.string() })
const call = { method: 'GET', path: '/api/x', access: 'public', summary: { zh: '', en: '' } } as const
const list = endpoint({ ...call, output: z.array(row) })
const page = endpoint({ ...call, output: z.object({ total: z.int(), rows: z.array(row), note: z.string() }) })
const bare = endpoint({ ...call, shape: 'bare', output: z.object({ rows: z.array(row) }) })

const rows = (many: number) =>
  Array.from({ length: many }, (_, id) => ({ id, name: `"${id}é`, secret: 'no' }))
const shown = (many: number) => rows(many).map(({ id, name }) => ({ id, name }))
const read = async (...given: Parameters<typeof writeOutput>) =>
  JSON.parse(String(await writeOutput(...given)))

describe('writeOutput', () => {
  test.each([0, 1, 500, 501, 1000, 1733])(
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
    await writeOutput(list, rows(5001))
    isWriting = false
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  test('refuses rows that are not as the schema says, wherever they stand', async () => {
    const wrong = [...rows(700), { id: 'seven', name: '' }]
    const failed = await Promise.resolve(writeOutput(list, wrong)).then(
      () => undefined,
      error => error,
    )
    expect(failed).toBeInstanceOf(z.core.$ZodError)
  })

  test('writes what is frozen once for each schema', async () => {
    let reads = 0
    const kept = Object.freeze({
      get id() {
        return ++reads
      },
      name: 'kept',
    })
    const many = Array.from({ length: 600 }, () => kept)
    for (let time = 0; time < 3; time++) await writeOutput(list, many)
    expect(reads).toBe(1)
    const names = endpoint({ ...call, output: z.array(z.object({ name: z.string() })) })
    expect((await read(names, many)).data[0]).toEqual({ name: 'kept' })
  })
})
