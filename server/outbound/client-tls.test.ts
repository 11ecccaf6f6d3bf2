import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { type LoopbackUpstream, reply, startUpstream } from '../../test/outbound/loopback-upstream.ts'
import { Authority, type Certificate } from '../../test/services/authority.ts'
import { createOutbound } from './client.ts'

const authority = new Authority()
const ca = authority.text
let certificate: Certificate
let good: LoopbackUpstream
let foreign: LoopbackUpstream
const outbound = createOutbound({ lookup: async () => ['127.0.0.1'] })

beforeAll(async () => {
  certificate = authority.issue('up.test')
  good = await startUpstream(reply('secure'), certificate)
  foreign = await startUpstream(reply('secure'), authority.issue('other.test'))
})
afterAll(() => {
  good?.stop()
  foreign?.stop()
  authority.close()
})

describe('TLS to a pinned address', () => {
  test('is verified against the name, and the connection is kept', async () => {
    for (let index = 0; index < 4; index++) {
      const response = await outbound.fetch(`https://up.test:${good.port}/`, {
        policy: 'operator',
        tls: { ca },
      })
      expect(await response.text()).toBe('secure')
    }
    expect(good.connections).toBe(1)
    expect(good.requests[0]).toContain(`Host: up.test:${good.port}`)
  })

  test('is refused when the certificate is for another name', async () => {
    const sent = outbound.fetch(`https://up.test:${foreign.port}/`, { policy: 'operator', tls: { ca } })
    await expect(sent).rejects.toMatchObject({ code: 'outbound.tls' })
    expect(foreign.requests).toHaveLength(0)
  })

  test('does not lend a connection verified for one name to another at the same address', async () => {
    const first = await outbound.fetch(`https://up.test:${good.port}/`, { policy: 'operator', tls: { ca } })
    await first.text()
    const requests = good.requests.length
    const sent = outbound.fetch(`https://other.test:${good.port}/`, { policy: 'operator', tls: { ca } })
    await expect(sent).rejects.toMatchObject({ code: 'outbound.tls' })
    expect(good.requests).toHaveLength(requests)
  })

  test('is verified through a proxy too, end to end', async () => {
    const tunnels: Socket[] = []
    const proxy = await startUpstream((request, socket) => {
      const tunnel = tunnels[proxy.connections - 1]
      if (tunnel) return void tunnel.write(Buffer.from(request, 'latin1'))
      const opened = connect(request.includes('up.test') ? good.port : foreign.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        opened.pipe(socket)
      })
      tunnels[proxy.connections - 1] = opened
    })
    const options = { policy: 'operator', tls: { ca }, proxy: `http://proxy.test:${proxy.port}` } as const
    const response = await outbound.fetch('https://up.test/', options)
    expect(await response.text()).toBe('secure')
    expect(proxy.requests[0]).toStartWith('CONNECT up.test:443 HTTP/1.1')
    const impostor = outbound.fetch('https://impostor.example/', options)
    await expect(impostor).rejects.toMatchObject({ code: 'outbound.tls' })
    for (const tunnel of tunnels) tunnel.destroy()
    proxy.stop()
  })

  test('is refused when nobody vouches for the certificate, the text naming no host', async () => {
    const sent = outbound.fetch(`https://up.test:${good.port}/`, { policy: 'operator' })
    await expect(sent).rejects.toMatchObject({
      code: 'outbound.tls',
      message: 'The secure connection could not be verified',
    })
  })

  test('is not left for plain http by a redirect', async () => {
    const canary = await startUpstream(reply('plain'))
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: certificate,
      fetch: () => Response.redirect(`http://up.test:${canary.port}/`),
    })
    const options = { policy: 'operator', tls: { ca }, redirect: 3 } as const
    const sent = outbound.fetch(`https://up.test:${server.port}/`, options)
    await expect(sent).rejects.toMatchObject({ code: 'outbound.redirect' })
    expect(canary.connections).toBe(0)
    await server.stop(true)
    canary.stop()
  })
})
