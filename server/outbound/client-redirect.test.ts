import { describe, expect, test } from 'bun:test'
import { reply, upstreamsPerTest } from '../../test/outbound/loopback-upstream.ts'
import { createOutbound } from './client.ts'

const start = upstreamsPerTest()

const redirectTo = (location: string, status = '302 Found') => reply('moved', status, { Location: location })
const outbound = createOutbound({ lookup: async () => ['127.0.0.1'] })

describe('redirects', () => {
  test('are answers like any other unless they are asked for', async () => {
    const canary = await start()
    const upstream = await start(redirectTo(`http://127.0.0.1:${canary.port}/`))
    const response = await outbound.fetch(`http://up.test:${upstream.port}/`, { policy: 'operator' })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toContain(String(canary.port))
    expect(canary.connections).toBe(0)
  })

  test('are followed, without the credentials, to another origin', async () => {
    const target = await start()
    const upstream = await start(redirectTo(`http://other.test:${target.port}/next`))
    const response = await outbound.fetch(`http://up.test:${upstream.port}/`, {
      policy: 'operator',
      method: 'POST',
      body: '{"prompt":"x"}',
      headers: {
        authorization: 'Bearer k',
        'x-api-key': 'k',
        'x-plain': 'kept',
        'content-type': 'application/json',
      },
      redirect: 1,
    })
    expect(await response.text()).toBe('ok')
    expect(upstream.requests.join('')).toContain('Bearer k')
    const seen = target.requests.join('').toLowerCase()
    expect(seen).toStartWith('get /next http/1.1')
    expect(seen).toContain(`host: other.test:${target.port}`)
    expect(seen).toContain('x-plain: kept')
    expect(seen).not.toMatch(/authorization|x-api-key|content-type|prompt/)
  })

  test('that keep the method keep the body, inside the origin the credentials too', async () => {
    const upstream = await start((request, socket) => {
      const answer = request.includes('/first')
        ? redirectTo('/second', '308 Permanent Redirect')
        : reply('done')
      answer(request, socket)
    })
    const response = await outbound.fetch(`http://up.test:${upstream.port}/first`, {
      policy: 'operator',
      method: 'POST',
      body: 'payload',
      headers: { authorization: 'Bearer k' },
      redirect: 5,
    })
    expect(await response.text()).toBe('done')
    const second = upstream.requests.slice(-1).join('')
    expect(second).toStartWith('POST /second')
    expect(second).toContain('Bearer k')
    expect(second).toEndWith('payload')
  })

  test.each([
    'http://169.254.169.254/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://0/',
    'http://metadata.google.internal/',
  ])('to %s are refused like the address itself', async location => {
    const upstream = await start(redirectTo(location))
    const sent = outbound.fetch(`http://up.test:${upstream.port}/`, { policy: 'operator', redirect: 3 })
    await expect(sent).rejects.toMatchObject({ code: 'outbound.address' })
  })

  test('to another scheme are refused', async () => {
    const upstream = await start(redirectTo('file:///etc/passwd'))
    const sent = outbound.fetch(`http://up.test:${upstream.port}/`, { policy: 'operator', redirect: 3 })
    await expect(sent).rejects.toMatchObject({ code: 'outbound.scheme' })
  })

  test('to loopback are refused once private addresses are off, on the hop itself', async () => {
    const canary = await start()
    const upstream = await start(redirectTo(`http://127.0.0.1:${canary.port}/`))
    // The first hop is allowed; the switch is thrown before the second.
    let allowed = true
    const switched = createOutbound({
      lookup: async () => ['127.0.0.1'],
      allowPrivate() {
        const answer = allowed
        allowed = false
        return answer
      },
    })
    const sent = switched.fetch(`http://up.test:${upstream.port}/`, { policy: 'operator', redirect: 3 })
    await expect(sent).rejects.toMatchObject({ code: 'outbound.address' })
    expect(upstream.connections).toBe(1)
    expect(canary.connections).toBe(0)
  })

  test('end after as many as were asked for, five at most', async () => {
    const upstream = await start(redirectTo('/again'))
    for (const [redirect, requests] of [
      [2, 3],
      [50, 6],
    ] as const) {
      upstream.requests.length = 0
      const sent = outbound.fetch(`http://up.test:${upstream.port}/`, { policy: 'operator', redirect })
      await expect(sent).rejects.toMatchObject({ code: 'outbound.redirects' })
      expect(upstream.requests).toHaveLength(requests)
    }
  })
})
