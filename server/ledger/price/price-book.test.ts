import { describe, expect, test } from 'bun:test'
import { breakdown } from './breakdown.ts'
import { cost } from './cost.ts'
import { PriceBook, priceBooks } from './price-book.ts'

type Settings = ConstructorParameters<typeof PriceBook>[0]

const nothingSet: Settings = {
  ModelPrice: {},
  ModelRatio: {},
  CompletionRatio: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  ImageRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  LongInputRatio: {},
  LongOutputRatio: {},
  LongInputFrom: {},
  WebSearchPrice: {},
  ToolPrice: {},
  InferenceGeoRatio: 1.1,
  GroupRatio: { default: 1, vip: 0.5, gift: 0 },
  GroupGroupRatio: {},
  DefaultModelRatio: 0,
  QuotaPerUnit: 500_000,
}
const bookOf = (settings: Partial<Settings> = {}) => new PriceBook({ ...nothingSet, ...settings })

describe('whose price is taken', () => {
  const call = (price: number) => ({ kind: 'call', price })
  const ratio = (modelRatio: number, completionRatio: unknown = 1) => ({
    kind: 'ratio',
    modelRatio,
    completionRatio,
  })
  test.each<[string, Partial<Settings>, string, object]>([
    ['a built-in ratio', {}, 'gpt-4o', ratio(1.25, 4)],
    ['a built-in price', {}, 'dall-e-3', call(0.04)],
    ['the operator’s ratio before the built-in one', { ModelRatio: { 'gpt-4o': 9 } }, 'gpt-4o', ratio(9, 4)],
    ['the operator’s ratio before a built-in price', { ModelRatio: { 'dall-e-3': 9 } }, 'dall-e-3', ratio(9)],
    ['the operator’s price before a built-in price', { ModelPrice: { 'dall-e-3': 1 } }, 'dall-e-3', call(1)],
    [
      'the operator’s price before everything',
      { ModelPrice: { 'gpt-4o': 1 }, ModelRatio: { 'gpt-4o': 9 }, DefaultModelRatio: 7 },
      'gpt-4o',
      call(1),
    ],
    ['a ratio of 0', { ModelRatio: { 'gpt-4o': 0 } }, 'gpt-4o', ratio(0, 4)],
    ['a price of 0', { ModelPrice: { 'gpt-4o': 0 } }, 'gpt-4o', call(0)],
    ['the default ratio last', { DefaultModelRatio: 7 }, 'gpt-4o', ratio(1.25, 4)],
    ['the default ratio for the unknown', { DefaultModelRatio: 7 }, 'unheard-of', ratio(7)],
    [
      'a completion ratio of the unknown',
      { DefaultModelRatio: 7, CompletionRatio: { 'unheard-of': 3 } },
      'unheard-of',
      ratio(7, 3),
    ],
    ['the operator’s completion ratio', { CompletionRatio: { 'gpt-4o': 2 } }, 'gpt-4o', ratio(1.25, 2)],
    ['a dated release', {}, 'gpt-4o-2024-11-20', ratio(1.25, 4)],
    ['a dated release with a price of its own', {}, 'gpt-4o-2024-05-13', ratio(2.5, 3)],
    ['a release follows its model', { ModelRatio: { 'gpt-4o': 9 } }, 'gpt-4o-2024-11-20', ratio(9, 4)],
    ['a release keeps what is its own', { ModelRatio: { 'gpt-4o': 9 } }, 'gpt-4o-2024-05-13', ratio(2.5, 3)],
    [
      'the operator’s ratio of a release',
      { ModelRatio: { 'gpt-4o': 9, 'gpt-4o-2024-11-20': 8 } },
      'gpt-4o-2024-11-20',
      ratio(8, 4),
    ],
    ['a name of the operator’s', { ModelRatio: { house: 3 } }, 'house', ratio(3)],
    ['a name that objects have', { ModelRatio: { constructor: 3 } }, 'constructor', ratio(3)],
  ])('%s', (_name, settings, model, price) => {
    expect(bookOf(settings).snapshot(model, 'default')).toMatchObject({ model, group: 'default', ...price })
  })

  test('the dated release that has a price of its own takes nothing else from the plain name', () => {
    expect(bookOf().snapshot('gpt-4o-2024-05-13', 'default')).toMatchObject({ cacheRatio: 1 })
    expect(bookOf().snapshot('gpt-4o-2024-11-20', 'default')).toMatchObject({ cacheRatio: 0.5 })
  })

  test.each(['unheard-of', 'gpt-4o-ultra', 'constructor', '__proto__', '', 'GPT-4o'])(
    '%p has none and is refused',
    model => {
      expect(() => bookOf().snapshot(model, 'default')).toThrow(`Model ${model} has no price`)
    },
  )

  test('a name longer than any model has is refused whatever the default', () => {
    expect(() => bookOf({ DefaultModelRatio: 1 }).snapshot('x'.repeat(256), 'default')).toThrow('no price')
  })
})

describe('the ratios besides', () => {
  const of = (settings: Partial<Settings>, model = 'house') =>
    bookOf({ ModelRatio: { house: 1 }, ...settings }).snapshot(model, 'default')

  test('of a model of which nothing else is known', () => {
    expect(of({})).toMatchObject({
      completionRatio: 1,
      cacheRatio: 1,
      cacheWriteRatio: 1,
      cacheWriteHourRatio: 1.6,
      imageRatio: 1,
      audioRatio: 1,
      audioCompletionRatio: 1,
    })
  })

  test('a cache that is known to be read can be written', () => {
    expect(of({ CacheRatio: { house: 0.1 } })).toMatchObject({
      cacheRatio: 0.1,
      cacheWriteRatio: 1.25,
      cacheWriteHourRatio: 2,
    })
    expect(of({}, 'claude-3-haiku-20240307')).toMatchObject({
      cacheRatio: 0.12,
      cacheWriteRatio: 1.2,
      cacheWriteHourRatio: 1.92,
    })
    expect(of({ CreateCacheRatio: { 'claude-opus-4-5': 3 } }, 'claude-opus-4-5')).toMatchObject({
      cacheRatio: 0.1,
      cacheWriteRatio: 3,
      cacheWriteHourRatio: 4.8,
    })
  })

  test('the operator’s go before the built-in ones', () => {
    const model = 'gpt-4o-audio-preview'
    expect(of({}, model)).toMatchObject({ audioRatio: 16, audioCompletionRatio: 2, imageRatio: 1 })
    expect(
      of(
        { AudioRatio: { [model]: 5 }, AudioCompletionRatio: { [model]: 6 }, ImageRatio: { [model]: 7 } },
        model,
      ),
    ).toMatchObject({ audioRatio: 5, audioCompletionRatio: 6, imageRatio: 7 })
  })

  test('audio output of which nothing is known costs what text output does', () => {
    const snapshot = of({ CompletionRatio: { house: 4 }, AudioRatio: { house: 3 } })
    expect(cost(snapshot, { audioOutput: 999 })).toBe(cost(snapshot, { output: 999 }))
    expect(of({ AudioRatio: { house: 0 } })).toMatchObject({ audioCompletionRatio: 1 })
  })
})

describe('the ratios for long input', () => {
  const of = (settings: Partial<Settings>, model = 'house') =>
    bookOf({ ModelRatio: { house: 4 }, CompletionRatio: { house: 3 }, ...settings }).price(model)

  test.each<[string, Partial<Settings>, object | undefined]>([
    ['none', {}, undefined],
    ['one of one', { LongInputRatio: { house: 1 } }, undefined],
    ['one of nothing', { LongInputRatio: { house: 0 } }, undefined],
    ['output as input', { LongInputRatio: { house: 2 } }, { modelRatio: 8, completionRatio: 3 }],
    [
      'output otherwise',
      { LongInputRatio: { house: 2 }, LongOutputRatio: { house: 1.5 } },
      { modelRatio: 8, completionRatio: 2.25, audioCompletionRatio: 2.25 },
    ],
    [
      'output alone, and free',
      { LongOutputRatio: { house: 0 } },
      { modelRatio: 4, completionRatio: 0, audioCompletionRatio: 0 },
    ],
    [
      'no number that could be written',
      { LongInputRatio: { house: 3 } },
      { modelRatio: 12, completionRatio: 3 },
    ],
  ])('%s', (_name, settings, long) => {
    const price = of(settings)
    const expected = long && { over: 200_000, ...long }
    if (expected) expect(price).toMatchObject({ modelRatio: 4, long: expected })
    else expect(price).not.toHaveProperty('long')
  })

  test('begin where the operator says, else where the model’s vendor does, else at 200,000 tokens', () => {
    const dear = { LongInputRatio: { house: 2 } }
    expect(of({ ...dear, LongInputFrom: { house: 32_000 } })).toMatchObject({ long: { over: 32_000 } })
    expect(of({}, 'gpt-6-sol')).toMatchObject({ long: { over: 272_000 } })
    expect(of({}, 'gpt-6-sol-2026-09-22')).toMatchObject({ long: { over: 272_000 } })
    expect(of({ LongInputFrom: { 'gpt-6-sol': 128_000 } }, 'gpt-6-sol')).toMatchObject({
      long: { over: 128_000, modelRatio: 2 },
    })
    expect(of({}, 'gemini-2.5-pro')).toMatchObject({ long: { over: 200_000 } })
    expect(of({ LongInputFrom: { house: 5 } })).not.toHaveProperty('long')
  })

  test('follow the operator’s own ratio, and can be taken back', () => {
    const model = 'claude-sonnet-4-5-20250929'
    expect(of({}, model)).toMatchObject({ modelRatio: 1.5, long: { modelRatio: 3, completionRatio: 3.75 } })
    expect(of({ ModelRatio: { [model]: 2 } }, model)).toMatchObject({ long: { modelRatio: 4 } })
    const flat = { LongInputRatio: { [model]: 1 }, LongOutputRatio: { [model]: 1 } }
    expect(of(flat, model)).not.toHaveProperty('long')
  })
})

describe('searches on the web', () => {
  const prices = { WebSearchPrice: { default: 10, gemini: 14, 'gemini-3-flash': 0, g: 99 } }
  const searched = (model: string, group = 'default') =>
    cost(bookOf(prices).snapshot(model, group), { input: 0, searches: 2 })

  test('cost what the longest beginning of the model’s name says, times the group’s ratio', () => {
    expect(searched('claude-sonnet-4-6')).toBe(10_000)
    expect(searched('claude-sonnet-4-6', 'vip')).toBe(5000)
    expect(searched('gemini-2.5-pro')).toBe(14_000)
    expect(searched('gpt-4o')).toBe(99_000)
    expect(searched('mj_imagine')).toBe(50_000 + 10_000)
  })

  test('cost by the size of what was found, where that has a price', () => {
    const WebSearchPrice = { default: 10, sonar: 5, 'sonar:high': 12, 'sonar-pro': 6, 'sonar-pro:high': 14 }
    const book = bookOf({ WebSearchPrice })
    const sizes = [undefined, 'low', 'high']
    expect(sizes.map(size => book.searchPrice('sonar-x', size))).toEqual([5, 5, 12])
    expect(sizes.map(size => book.searchPrice('sonar-pro', size))).toEqual([6, 6, 14])
    expect(sizes.map(size => book.searchPrice('other', size))).toEqual([10, 10, 10])
  })

  test('are free where the operator says so', () => {
    const price = bookOf({ ...prices, ModelRatio: { 'gemini-3-flash-x': 1 } }).snapshot(
      'gemini-3-flash-x',
      'default',
    )
    expect(price).not.toHaveProperty('search')
    expect(cost(price, { input: 7, searches: 5 })).toBe(7)
    expect(bookOf().snapshot('gpt-4o', 'default')).not.toHaveProperty('search')
  })
})

describe('a vendor’s tools', () => {
  const ToolPrice = { file_search: 2.5, 'gpt-5:file_search': 3, 'gpt-5-mini:file_search': 1, free: 0 }
  const priceOf = (model: string, tool: string) => bookOf({ ToolPrice }).toolPrice(model, tool)

  test('cost what is set for the longest beginning of the model’s name, or for the tool', () => {
    expect(['gpt-4o', 'gpt-5', 'gpt-5-mini-x'].map(model => priceOf(model, 'file_search'))).toEqual([
      2.5, 3, 1,
    ])
  })

  test('are free where that is said, and cannot be had where nothing is', () => {
    expect([priceOf('gpt-5', 'free'), priceOf('gpt-5', 'shell')]).toEqual([0, undefined])
    expect(priceOf('gpt-5', 'toString')).toBeUndefined()
  })
})

describe('groups', () => {
  test('their ratio is part of the price', () => {
    const book = bookOf()
    expect(cost(book.snapshot('gpt-4o', 'vip'), { input: 1000 })).toBe(625)
    expect(cost(book.snapshot('gpt-4o', 'gift'), { input: 1000 })).toBe(0)
    expect(cost(book.snapshot('mj_imagine', 'vip'), {})).toBe(25_000)
  })

  test('a ratio for users of one group in another goes before the group’s, and for nobody else', () => {
    const book = bookOf({ GroupGroupRatio: { vip: { default: 0.1, vip: 3, gone: 5 }, gift: { vip: 0 } } })
    const charge = (group: string, userGroup?: string) =>
      cost(book.snapshot('gpt-4o', group, userGroup), { input: 1000 })
    expect(charge('default', 'vip')).toBe(125)
    expect(charge('vip', 'vip')).toBe(3750)
    expect(charge('vip', 'gift')).toBe(0)
    for (const userGroup of ['default', 'gift', 'unheard-of', 'toString', ''])
      expect(charge('default', userGroup)).toBe(1250)
    expect(charge('vip', 'default')).toBe(625)
    // A ratio makes no group.
    expect(() => charge('gone', 'vip')).toThrow('Group gone is no longer in use')
    const special = book.snapshot('gpt-4o', 'default', 'vip')
    expect(special).toMatchObject({ group: 'default', groupRatio: 0.1, userGroup: 'vip' })
    expect(book.snapshot('gpt-4o', 'default', 'vip')).toBe(special)
    expect(book.snapshot('gpt-4o', 'default', 'gift')).toBe(book.snapshot('gpt-4o', 'default', 'default'))
    expect(JSON.parse(JSON.stringify(special))).toEqual(special)
    expect(breakdown(special, { input: 1 }).details).toMatchObject({
      group_ratio: 0.1,
      user_group_ratio: 0.1,
    })
  })

  test('whatever the ratios, the charge is that of a group which has just that ratio', () => {
    const ratios = [0, 1e-9, 0.07, 0.1, 1 / 3, 0.8, 1, 1.1, 2.5, 19.99, 1e6]
    for (const usual of ratios)
      for (const special of ratios)
        for (const usage of [{ input: 1 }, { input: 333, output: 77, cacheRead: 5 }, { input: 9_999_999 }]) {
          const [plain, own] = [
            { a: usual },
            { GroupRatio: { a: usual }, GroupGroupRatio: { u: { a: special } } },
          ]
          const price = bookOf(own).snapshot('gpt-4o', 'a', 'u')
          const same = bookOf({ GroupRatio: { a: special } }).snapshot('gpt-4o', 'a')
          expect(cost(price, usage)).toBe(cost(same, usage))
          const others = bookOf(own).snapshot('gpt-4o', 'a', 'v')
          expect(cost(others, usage)).toBe(cost(bookOf({ GroupRatio: plain }).snapshot('gpt-4o', 'a'), usage))
        }
  })

  test.each(['unheard-of', 'toString', '__proto__', ''])('%p is refused', group => {
    expect(() => bookOf().snapshot('gpt-4o', group)).toThrow(`Group ${group} is no longer in use`)
  })
})

describe('what is in force', () => {
  test('the built-in figures with the operator’s in their place', () => {
    const ratios = bookOf({ ModelRatio: { 'gpt-4o': 9, house: 3 } }).inForce('ModelRatio')
    expect(ratios).toMatchObject({ 'gpt-4o': 9, house: 3, 'gpt-4o-mini': 0.075 })
    expect(ratios).not.toHaveProperty('dall-e-3')
    expect(bookOf().inForce('ModelPrice')).toMatchObject({ 'dall-e-3': 0.04, mj_inpaint: 0 })
    expect(bookOf().inForce('CompletionRatio')).toMatchObject({ 'gpt-4o': 4, 'deepseek-r1': 219 / 55 })
    expect(bookOf().inForce('CreateCacheRatio')).toMatchObject({ 'claude-opus-4-5': 1.25 })
  })

  test('saved as it is shown, it changes no charge', () => {
    const book = bookOf({ ModelRatio: { 'dall-e-3': 2 } })
    const saved: Settings = {
      ...nothingSet,
      ModelPrice: book.inForce('ModelPrice'),
      ModelRatio: book.inForce('ModelRatio'),
      CompletionRatio: book.inForce('CompletionRatio'),
      CacheRatio: book.inForce('CacheRatio'),
      CreateCacheRatio: book.inForce('CreateCacheRatio'),
      ImageRatio: book.inForce('ImageRatio'),
      AudioRatio: book.inForce('AudioRatio'),
      AudioCompletionRatio: book.inForce('AudioCompletionRatio'),
      LongInputRatio: book.inForce('LongInputRatio'),
      LongOutputRatio: book.inForce('LongOutputRatio'),
      LongInputFrom: book.inForce('LongInputFrom'),
    }
    const again = new PriceBook(JSON.parse(JSON.stringify(saved)))
    const models = [...Object.keys(saved.ModelPrice), ...Object.keys(saved.ModelRatio)]
    expect(models.length).toBeGreaterThan(400)
    for (const model of models)
      expect(again.snapshot(model, 'default')).toEqual(book.snapshot(model, 'default'))
  })
})

describe('snapshots', () => {
  test('are shared, frozen and survive storage', () => {
    const book = bookOf()
    const snapshot = book.snapshot('deepseek-r1', 'vip')
    expect(book.snapshot('deepseek-r1', 'vip')).toBe(snapshot)
    expect(book.snapshot('deepseek-r1', 'default')).not.toBe(snapshot)
    expect(Object.isFrozen(snapshot)).toBe(true)
    const stored = JSON.stringify(snapshot)
    expect(JSON.parse(stored)).toEqual(snapshot)
    expect(stored.length).toBeLessThan(300)
  })

  test('made-up names do not fill the memory', () => {
    const book = bookOf({ DefaultModelRatio: 1 })
    const first = book.snapshot('model-0', 'default')
    for (let n = 1; n < 20_000; n++) book.snapshot(`model-${n}`, 'default')
    expect(book.snapshot('model-0', 'default')).not.toBe(first)
    expect(book.snapshot('model-0', 'default')).toEqual(first)
  })
})

test('a new book is opened when the settings have changed, and only then', () => {
  const settings = { all: nothingSet }
  const books = priceBooks(settings)
  const first = books()
  expect(books()).toBe(first)
  settings.all = { ...nothingSet, ModelRatio: { 'gpt-4o': 9 } }
  expect(books().snapshot('gpt-4o', 'default')).toMatchObject({ modelRatio: 9 })
  expect(first.snapshot('gpt-4o', 'default')).toMatchObject({ modelRatio: 1.25 })
})
