import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoopbackUpstream, reply, startUpstream } from '../../test/outbound/loopback-upstream.ts'
import { createOutbound } from './client.ts'

let folder = ''
let ca = ''
let good: LoopbackUpstream
let foreign: LoopbackUpstream
const outbound = createOutbound({ lookup: async () => ['127.0.0.1'] })

const openssl = async (...args: string[]) => {
  const run = Bun.spawn(['openssl', ...args], { cwd: folder, stdout: 'ignore', stderr: 'pipe' })
  if ((await run.exited) !== 0) throw new Error(await new Response(run.stderr).text())
}

/** Serves with a certificate for `name` from the throwaway authority. */
async function serveAs(name: string): Promise<LoopbackUpstream> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`]
  await openssl('req', ...key, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
  await writeFile(join(folder, `${name}.ext`), `subjectAltName=DNS:${name}`)
  const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial']
  const out = ['-out', `${name}.pem`, '-days', '2', '-extfile', `${name}.ext`]
  await openssl('x509', '-req', '-in', `${name}.csr`, ...issuer, ...out)
  const read = (file: string) => readFile(join(folder, file), 'utf8')
  return startUpstream(reply('secure'), { key: await read(`${name}.key`), cert: await read(`${name}.pem`) })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outbound-tls-'))
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'ca.key']
  await openssl('req', '-x509', ...key, '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Throwaway')
  ca = await readFile(join(folder, 'ca.pem'), 'utf8')
  good = await serveAs('up.test')
  foreign = await serveAs('other.test')
})
afterAll(async () => {
  good?.stop()
  foreign?.stop()
  await rm(folder, { recursive: true, force: true })
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
      tls: { key: Bun.file(join(folder, 'up.test.key')), cert: Bun.file(join(folder, 'up.test.pem')) },
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
