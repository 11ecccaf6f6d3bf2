import { describe, expect, test } from 'bun:test'
import { createResolver, keep, lookupBySystem } from './resolve-pinned.ts'

function startResolver(answers: (string[] | Error)[]) {
  const state = { now: 0, lookups: 0 }
  const resolve = createResolver(
    async () => {
      const answer = answers[Math.min(state.lookups++, answers.length - 1)] ?? []
      if (answer instanceof Error) throw answer
      return answer
    },
    () => state.now,
  )
  return { resolve, state }
}

describe('createResolver', () => {
  test('answers from memory for 30 seconds, at once and with the same array', async () => {
    const { resolve, state } = startResolver([['8.8.8.8'], ['127.0.0.1']])
    const first = await resolve('rb.test')
    state.now = 19_999
    expect(resolve('rb.test')).toBe(first)
    expect(state.lookups).toBe(1)
  })

  test('asks again after 30 seconds', async () => {
    const { resolve, state } = startResolver([['8.8.8.8'], ['127.0.0.1']])
    await resolve('rb.test')
    state.now = 30_000
    expect(await resolve('rb.test')).toEqual(['127.0.0.1'])
  })

  test('a name in use is refreshed before it expires, nobody waiting', async () => {
    const { resolve, state } = startResolver([['8.8.8.8'], ['8.8.4.4']])
    await resolve('a.test')
    state.now = 25_000
    expect(resolve('a.test')).toEqual(['8.8.8.8'])
    expect(resolve('a.test')).toEqual(['8.8.8.8'])
    await Bun.sleep(0)
    expect(state.lookups).toBe(2)
    state.now = 54_000
    expect(resolve('a.test')).toEqual(['8.8.4.4'])
  })

  test('callers at the same time share one look-up', async () => {
    const { resolve, state } = startResolver([['8.8.8.8']])
    await Promise.all(Array.from({ length: 20 }, () => resolve('a.test')))
    expect(state.lookups).toBe(1)
  })

  test('while the resolver fails, the last answer serves for five minutes', async () => {
    const { resolve, state } = startResolver([['8.8.8.8'], new Error('down')])
    const first = await resolve('a.test')
    state.now = 40_000
    expect(await resolve('a.test')).toBe(first)
    expect(resolve('a.test')).toBe(first)
    state.now = 300_000
    const late = Promise.resolve(resolve('a.test'))
    await expect(late).rejects.toMatchObject({ code: 'outbound.resolve' })
  })

  test('a failure is told without the name, and is not remembered', async () => {
    const { resolve, state } = startResolver([new Error('no secret.test'), ['8.8.8.8']])
    const failed = Promise.resolve(resolve('secret.test'))
    await expect(failed).rejects.toMatchObject({ code: 'outbound.resolve' })
    await expect(failed).rejects.not.toThrow('secret')
    expect(await resolve('secret.test')).toEqual(['8.8.8.8'])
    expect(state.lookups).toBe(2)
  })

  test('where no name is answered it is our own lack, and a name’s where others are', async () => {
    const away = Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' })
    const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const { resolve, state } = startResolver([away, unknown, ['8.8.8.8'], away, away])
    const codeOf = (host: string) => Promise.resolve(resolve(host)).catch(error => error.code)
    expect(await codeOf('one.test')).toBe('outbound.lack')
    expect(await codeOf('none.test')).toBe('outbound.resolve')
    expect(await codeOf('one.test')).toEqual(['8.8.8.8'])
    state.now = 29_999
    expect(await codeOf('two.test')).toBe('outbound.resolve')
    state.now = 30_000
    expect(await codeOf('two.test')).toBe('outbound.lack')
  })

  test('a name without addresses does not resolve', async () => {
    const { resolve } = startResolver([[]])
    await expect(Promise.resolve(resolve('a.test'))).rejects.toMatchObject({ code: 'outbound.resolve' })
  })
})

test('keep drops the oldest key of a full map', () => {
  const map = new Map<string, number>()
  for (let index = 0; index < 5; index++) keep(map, `k${index}`, index, 3)
  expect([...map.keys()]).toEqual(['k2', 'k3', 'k4'])
  keep(map, 'k2', 9, 3)
  expect([...map]).toEqual([
    ['k2', 9],
    ['k3', 3],
    ['k4', 4],
  ])
})

test('the system is asked for every address, IPv4 first', async () => {
  const addresses = await lookupBySystem('localhost')
  expect(addresses[0]).toBeOneOf(['127.0.0.1', '::1'])
  const families = addresses.map(address => (address.includes(':') ? 6 : 4))
  expect(families).toEqual(families.toSorted())
})
