import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The one-file product: built, then run where there is nothing but itself.

const root = join(import.meta.dir, '..')
let folder = ''
let program = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-build-'))
  program = join(folder, 'tollgate')
  const build = Bun.spawnSync([process.execPath, 'scripts/build.ts', program], { cwd: root })
  if (build.exitCode !== 0) throw new Error(build.stderr.toString())
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('serves the API and the console from an empty folder with an empty PATH, and ends in order', async () => {
  const empty = await mkdtemp(join(folder, 'empty-'))
  const env = { PATH: '', PORT: '0', HOST: '127.0.0.1' }
  const server = Bun.spawn([program], { cwd: empty, env, stdout: 'pipe', stderr: 'inherit' })
  try {
    const address = await addressSaidIn(server.stdout)
    const get = (path: string, headers = {}) => fetch(`${address}${path}`, { headers })
    expect((await get('/healthz')).status).toBe(200)
    expect(await (await get('/api/status')).json()).toMatchObject({ success: true })

    const page = await get('/')
    expect(page.headers.get('content-type')).toContain('text/html')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
    const loaded = await get(script, { 'accept-encoding': 'br' })
    expect(loaded.status).toBe(200)
    expect(loaded.headers.get('content-encoding')).toBe('br')
    expect(loaded.headers.get('content-type')).toContain('javascript')
    expect(await loaded.text()).not.toBe('')
  } finally {
    server.kill('SIGTERM')
  }
  expect(await server.exited).toBe(0)
}, 30_000)

async function addressSaidIn(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let said = ''
  for await (const bytes of output.values({ preventCancel: true })) {
    said += new TextDecoder().decode(bytes)
    const address = /listening on (http:\S+)\n/.exec(said)?.[1]
    if (address) return address
  }
  throw new Error(`it ended before it listened: ${said}`)
}
