import { expect, test } from 'bun:test'
import { reply, upstreamsPerTest } from '../../test/outbound/loopback-upstream.ts'
import { createOutbound } from './client.ts'

const start = upstreamsPerTest()

/** Only the proxy's name is known here: what lies behind it is resolved by the proxy. */
const outbound = createOutbound({
  async lookup(host) {
    if (host === 'proxy.test') return ['127.0.0.1']
    if (host === 'bad-proxy.test') return ['169.254.169.254']
    if (host === 'inside.test') return ['10.0.0.1']
    throw new Error('ENOTFOUND')
  },
})

test('an http proxy is asked for the name, with its own credentials', async () => {
  const proxy = await start(reply('via proxy'))
  const response = await outbound.fetch('http://behind.test/path?q', {
    policy: 'operator',
    proxy: `http://me:p%40ss@proxy.test:${proxy.port}`,
    headers: { authorization: 'Bearer k' },
  })
  expect(await response.text()).toBe('via proxy')
  const [request = ''] = proxy.requests
  expect(request).toStartWith('GET http://behind.test/path?q HTTP/1.1')
  expect(request).toContain('Host: behind.test')
  expect(request).toContain(`Proxy-Authorization: Basic ${btoa('me:p@ss')}`)
})

test('https goes through a tunnel to the name', async () => {
  const proxy = await start((_request, socket) => {
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
  })
  const sent = outbound.fetch('https://behind.test/', {
    policy: 'operator',
    proxy: `http://proxy.test:${proxy.port}`,
  })
  const outcome = await sent.then(
    response => response.status,
    (error: { code: string }) => error.code,
  )
  expect(outcome).toBeOneOf([403, 'outbound.failed'])
  expect(proxy.requests[0]).toStartWith('CONNECT behind.test:443 HTTP/1.1')
})

test.each(['socks5://127.0.0.1:1080', 'socks5h://127.0.0.1', 'ftp://127.0.0.1', 'not a url', ''])(
  'the proxy %j is refused',
  async proxy => {
    const sent = outbound.fetch('http://behind.test/', { policy: 'operator', proxy })
    await expect(sent).rejects.toMatchObject({ code: 'outbound.proxy' })
  },
)

test('the target is judged all the same, and the proxy too', async () => {
  const proxy = await start()
  const via = `http://proxy.test:${proxy.port}`
  const cases = [
    ['http://169.254.169.254/', 'operator', via, 'outbound.address'],
    ['http://metadata.google.internal/', 'operator', via, 'outbound.address'],
    ['file:///etc/passwd', 'operator', via, 'outbound.scheme'],
    ['http://127.0.0.1/', 'user', via, 'outbound.address'],
    ['http://behind.test/', 'user', via, 'outbound.resolve'],
    ['http://inside.test/', 'user', via, 'outbound.address'],
    ['http://behind.test/', 'operator', 'http://bad-proxy.test/', 'outbound.address'],
    ['http://behind.test/', 'operator', 'http://[::ffff:a9fe:a9fe]:80', 'outbound.address'],
  ] as const
  for (const [url, policy, through, code] of cases) {
    await expect(outbound.fetch(url, { policy, proxy: through })).rejects.toMatchObject({ code })
  }
  expect(proxy.connections).toBe(0)
})

test('the proxy of the environment is not used', async () => {
  const upstream = await start(reply('direct'))
  const script = `
    import { createOutbound } from ${JSON.stringify(`${import.meta.dir}/client.ts`)}
    const outbound = createOutbound()
    const response = await outbound.fetch('http://127.0.0.1:${upstream.port}/', { policy: 'operator' })
    console.log(await response.text())
  `
  const gone = await start()
  gone.stop()
  const proxy = `http://127.0.0.1:${gone.port}`
  const run = Bun.spawn([process.execPath, '-e', script], {
    env: { PATH: process.env.PATH, HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: '' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  expect((await new Response(run.stdout).text()).trim()).toBe('direct')
})
