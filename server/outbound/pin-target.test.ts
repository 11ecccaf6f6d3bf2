import { describe, expect, test } from 'bun:test'
import type { Policy } from './address-rules.ts'
import { createPinner, preferOrigin } from './pin-target.ts'
import { createResolver } from './resolve-pinned.ts'

function startPinner(answers: Record<string, string[][]>) {
  const state = { now: 0, lookups: 0, allowPrivate: true }
  const resolve = createResolver(
    async host => {
      state.lookups++
      const list = answers[host] ?? []
      return (list.length > 1 ? list.shift() : list[0]) ?? []
    },
    () => state.now,
  )
  const pinner = createPinner(resolve, () => state.allowPrivate)
  const pin = async (url: string, policy: Policy) => pinner(new URL(url), policy)
  return { pin, pinner, state }
}

describe('the strict policy', () => {
  test('a name that turns to loopback keeps the address that was judged, then is refused', async () => {
    const { pin, state } = startPinner({ 'rb.test': [['93.184.215.14'], ['127.0.0.1']] })
    const first = await pin('http://rb.test/', 'user')
    expect(first.origins).toEqual(['http://93.184.215.14'])
    expect(first.hostHeader).toBe('rb.test')
    state.now = 19_000
    expect(await pin('http://rb.test/other', 'user')).toBe(first)
    expect(state.lookups).toBe(1)
    state.now = 31_000
    await expect(pin('http://rb.test/', 'user')).rejects.toMatchObject({ code: 'outbound.address' })
  })

  test('one forbidden address forbids the name', async () => {
    const { pin } = startPinner({
      'mix.test': [['93.184.215.14', '127.0.0.1']],
      'six.test': [['1.1.1.1', 'fe80::1']],
    })
    await expect(pin('http://mix.test/', 'user')).rejects.toMatchObject({ code: 'outbound.address' })
    await expect(pin('http://six.test/', 'user')).rejects.toMatchObject({ code: 'outbound.address' })
  })

  test('credentials in the URL are refused on a known origin too', async () => {
    const { pin } = startPinner({ 'a.test': [['93.184.215.14']] })
    await pin('https://a.test/', 'user')
    await expect(pin('https://u@a.test/', 'user')).rejects.toMatchObject({ code: 'outbound.bad-url' })
    await expect(pin('https://:p@a.test/', 'user')).rejects.toMatchObject({ code: 'outbound.bad-url' })
  })

  test('a verdict for the operator is none for a user', async () => {
    const { pin } = startPinner({ 'a.test': [['10.0.0.1']] })
    await pin('http://a.test/', 'operator')
    await expect(pin('http://a.test/', 'user')).rejects.toMatchObject({ code: 'outbound.address' })
  })
})

describe('the operator policy', () => {
  test('the switch for private addresses is in force at once', async () => {
    const { pin, state } = startPinner({ 'a.test': [['10.0.0.1']] })
    await pin('http://a.test/', 'operator')
    await pin('http://10.0.0.1/', 'operator')
    state.allowPrivate = false
    await expect(pin('http://a.test/', 'operator')).rejects.toMatchObject({ code: 'outbound.address' })
    await expect(pin('http://10.0.0.1/', 'operator')).rejects.toMatchObject({ code: 'outbound.address' })
  })

  test('a name that resolves to metadata is refused', async () => {
    const { pin } = startPinner({ 'a.test': [['169.254.169.254']], 'b.test': [['::ffff:a9fe:a9fe']] })
    await expect(pin('http://a.test/', 'operator')).rejects.toMatchObject({ code: 'outbound.address' })
    await expect(pin('http://b.test/', 'operator')).rejects.toMatchObject({ code: 'outbound.address' })
  })

  test('TLS keeps the name, ports and IPv6 are spelled right', async () => {
    const { pin } = startPinner({ 'a.test': [['10.0.0.1', 'fd00::1']] })
    expect(await pin('https://A.test.:8443/', 'operator')).toMatchObject({
      origins: ['https://10.0.0.1:8443', 'https://[fd00::1]:8443'],
      hostHeader: 'a.test:8443',
      tls: { serverName: 'a.test' },
    })
  })

  test('a known origin is answered without a promise or a look-up', async () => {
    const { pin, pinner, state } = startPinner({ 'a.test': [['10.0.0.1']] })
    const first = await pin('https://a.test/', 'operator')
    expect(pinner(new URL('https://a.test/x?y'), 'operator')).toBe(first)
    expect(state.lookups).toBe(1)
    const literal = pinner(new URL('http://127.0.0.1:9/'), 'operator')
    expect(literal).toMatchObject({ origins: ['http://127.0.0.1:9'], hostHeader: undefined, tls: undefined })
    expect(pinner(new URL('http://127.0.0.1:9/'), 'operator')).toBe(literal)
  })

  test('the address that answered goes first', async () => {
    const { pin } = startPinner({ 'a.test': [['10.0.0.1', '10.0.0.2', '10.0.0.3']] })
    const pinned = await pin('http://a.test/', 'operator')
    preferOrigin(pinned, 'http://10.0.0.2')
    expect(pinned.origins).toEqual(['http://10.0.0.2', 'http://10.0.0.1', 'http://10.0.0.3'])
  })
})
