import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Client, rootClient } from './client.ts'
import { type Program, ROOT_PASSWORD, startProgram, until } from './program.ts'

let program: Program
let root: Client
let database: Database

beforeAll(async () => {
  program = await startProgram({ ROOT_PASSWORD, WORKERS: '2' })
  root = await rootClient(program.url)
  await root.saveOption('GlobalApiRateLimit', '0')
  database = new Database(join(program.dataDir, 'tollgate.db'), { readonly: true })
})
afterAll(async () => {
  database.close()
  await program.stop()
})

const stored = (key: string) =>
  (database.query('select value from options where key = ?').get(key) as { value: string } | null)?.value

/** On a connection of its own, so that either worker may answer. */
async function option(key: string): Promise<string> {
  const rows = (await root.get('/api/option/', { connection: 'close' })).json.data as {
    key: string
    value: string
  }[]
  return rows.find(row => row.key === key)?.value ?? ''
}
const prices = async (key: string) => JSON.parse(await option(key)) as Record<string, number>

test('the price maps show what is in force though nothing is stored', async () => {
  expect(await prices('ModelRatio')).toMatchObject({ 'gpt-4o': 1.25, 'claude-sonnet-4-5': 1.5 })
  expect(await prices('ModelPrice')).toMatchObject({ 'dall-e-3': 0.04, mj_imagine: 0.1, suno_music: 0.1 })
  expect(await prices('CompletionRatio')).toMatchObject({ 'gpt-4o': 4, 'claude-sonnet-4-5': 5 })
  expect(await prices('CacheRatio')).toMatchObject({ 'gpt-4o': 0.5, 'claude-sonnet-4-5': 0.1 })
  expect(await prices('CreateCacheRatio')).toMatchObject({ 'claude-sonnet-4-5': 1.25 })
  expect(await prices('AudioRatio')).toMatchObject({ 'gpt-4o-audio-preview': 16 })
  expect(await prices('AudioCompletionRatio')).toMatchObject({ 'gpt-4o-audio-preview': 2 })
  expect(await prices('ImageRatio')).toMatchObject({ 'gpt-image-1': 2 })
  expect(await prices('LongInputFrom')).toMatchObject({ 'gpt-6-astra': 272_000, 'claude-haiku-5-5': 100_000 })
  expect(await option('DefaultModelRatio')).toBe('0')
  expect(await option('ModelRatio')).toStartWith('{\n  "')
  expect(stored('ModelRatio')).toBeUndefined()
})

test('an entry that is saved goes before the built-in one; the others stay', async () => {
  expect((await root.saveOption('ModelRatio', '{"gpt-4o": 9, "house": 3}')).json.success).toBe(true)
  expect(JSON.parse(stored('ModelRatio') ?? '')).toEqual({ 'gpt-4o': 9, house: 3 })
  // The worker that did not save it hears of it in a moment.
  await until(async () => (await prices('ModelRatio'))['gpt-4o'] === 9)
  expect(await prices('CompletionRatio')).toMatchObject({ 'gpt-4o': 4 })
})

test('the whole map as it is shown can be saved', async () => {
  await until(async () => (await prices('ModelRatio')).house === 3)
  const shown = { ...(await prices('ModelRatio')), 'gpt-4o': 2, house: 4 }
  expect((await root.saveOption('ModelRatio', JSON.stringify(shown))).json.success).toBe(true)
  expect(JSON.parse(stored('ModelRatio') ?? '')).toEqual(shown)
})

test.each([
  ['ModelRatio', '{"gpt-4o": -1}'],
  ['ModelRatio', '{"gpt-4o": 1e400}'],
  ['CacheRatio', '{"gpt-4o": "1"}'],
  ['CreateCacheRatio', '[]'],
  ['AudioRatio', '{"gpt-4o": null}'],
  ['AudioCompletionRatio', '{"a": 1, "a": 2}'],
  ['LongInputFrom', '{"a": 0}'],
  ['LongInputFrom', '{"a": 1000.5}'],
  ['ImageRatio', 'nonsense'],
  ['DefaultModelRatio', '-1'],
  ['DefaultModelRatio', '1e3'],
])('%s = %s is refused and nothing changes', async (key, value) => {
  const before = stored(key)
  expect((await root.saveOption(key, value)).json.success).toBe(false)
  expect(stored(key)).toBe(before as string)
})

test('the default ratio can be set and emptied', async () => {
  expect((await root.saveOption('DefaultModelRatio', '37.5')).json.success).toBe(true)
  expect(stored('DefaultModelRatio')).toBe('37.5')
  expect((await root.saveOption('DefaultModelRatio', '')).json.success).toBe(true)
  expect(stored('DefaultModelRatio')).toBe('0')
})

test('a reset brings back the built-in model ratios on every worker and touches nothing else', async () => {
  await root.saveOption('CompletionRatio', '{"gpt-4o": 7}')
  await root.saveOption('ModelPrice', '{"gpt-4o": 0.5}')
  const builtIn = (await root.get('/api/option/built_in_prices')).json.data
  expect(Object.keys(builtIn)).toContain('CompletionRatio')
  expect(builtIn.ModelRatio['gpt-4o-mini']).toBe(0.075)
  const answer = await root.post('/api/option/rest_model_ratio', undefined)
  expect(answer.json).toEqual({ success: true, message: '重置模型倍率成功', data: null })
  expect(stored('ModelRatio')).toBeUndefined()
  for (let asked = 0; asked < 10; asked++)
    await until(async () => {
      const ratios = await prices('ModelRatio')
      return ratios['gpt-4o'] === 1.25 && !Object.hasOwn(ratios, 'house')
    })
  expect(stored('CompletionRatio')).toContain('7')
  expect(stored('ModelPrice')).toContain('0.5')
})

test('a reset of nothing is a reset, and is told in English to those who ask', async () => {
  const answer = await root.send('POST', '/api/option/rest_model_ratio/', {
    headers: { 'accept-language': 'en' },
  })
  expect(answer.json).toEqual({ success: true, message: 'The model ratios have been reset', data: null })
})
