import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SoftwareAuthenticator } from './api/sign-in/software-authenticator.ts'
import { Client, rootClient } from './client.ts'
import { ROOT_PASSWORD } from './program.ts'
import { startOpenai } from './upstreams/index.ts'

// The one-file product: built, then run where there is nothing but itself. What it does there the sources do too,
// as `npm start` runs them; most other tests start another such file.

const root = join(import.meta.dir, '..')
let folder = ''
let program = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-build-'))
  program = join(folder, 'tollgate')
  const build = Bun.spawnSync([process.execPath, 'scripts/build.ts', program], { cwd: root })
  if (build.exitCode !== 0) throw new Error(build.stderr.toString())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const forms = [
  ['one file', () => [program]],
  ['sources', () => [process.execPath, join(root, 'server/main.ts')]],
] as const

test.each(forms)(
  '%s: serves the API and the console from an empty folder with an empty PATH, and ends in order',
  async (_form, command) => {
    const empty = await mkdtemp(join(folder, 'empty-'))
    const env = { PATH: '', PORT: '0', HOST: '127.0.0.1' }
    const server = Bun.spawn(command(), { cwd: empty, env, stdout: 'pipe', stderr: 'inherit' })
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
  },
)

test('has all of the library that passkeys need', async () => {
  const empty = await mkdtemp(join(folder, 'empty-'))
  const env = { PATH: '', PORT: '0', HOST: '127.0.0.1', ROOT_PASSWORD }
  const server = Bun.spawn([program], { cwd: empty, env, stdout: 'pipe', stderr: 'inherit' })
  try {
    const root = await rootClient(await addressSaidIn(server.stdout))
    const site = { origin: 'https://gate.example', rpId: 'gate.example' }
    await root.saveOption('ServerAddress', site.origin)
    await root.post('/api/verify', { method: 'password', password: ROOT_PASSWORD })
    const begin = async (client: Client, at: string) =>
      (await client.post(`/api/user/passkey/${at}/begin`, {})).json.data.options.publicKey
    const passkey = new SoftwareAuthenticator()
    const { challenge, user } = await begin(root, 'register')
    const made = passkey.create({ challenge, ...site }, user.id)
    expect((await root.post('/api/user/passkey/register/finish', made)).json.success).toBe(true)
    const visitor = new Client(root.url)
    const signed = passkey.get({ challenge: (await begin(visitor, 'login')).challenge, ...site })
    const login = await visitor.post('/api/user/passkey/login/finish', signed)
    expect(login.json.data.username).toBe('root')
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
})

const SENTENCE = 'count the words of this sentence, please, and then say them all once more'

test.each(forms)(
  '%s: calls a model and charges for it, on the threads that it has',
  async (_form, command) => {
    const empty = await mkdtemp(join(folder, 'empty-'))
    const env = { PATH: '', PORT: '0', HOST: '127.0.0.1', ROOT_PASSWORD }
    const upstream = await startOpenai()
    const server = Bun.spawn(command(), { cwd: empty, env, stdout: 'pipe', stderr: 'inherit' })
    try {
      const root = await rootClient(await addressSaidIn(server.stdout))
      const channel = { type: 1, name: 'vendor', key: upstream.key, base_url: upstream.url, models: 'gpt-4o' }
      await root.post('/api/channel/', { ...channel, groups: ['default'] })
      const codes = await root.post('/api/redemption/', { name: 'gift', quota: 5_000_000, count: 1 })
      await root.post('/api/user/topup', { key: codes.json.data[0] })
      await root.post('/api/token/', { name: 'mine', unlimited_quota: true })
      const { key } = (await root.get('/api/token/?p=0&size=1')).json.data[0]
      // Without usage the threads that count have to; where they do not work it is estimated, and is more.
      upstream.next({ usage: 'none' })
      const answer = await fetch(`${root.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: SENTENCE }] }),
      })
      expect(answer.status).toBe(200)
      // With its last byte it is paid.
      await answer.text()
      const { items } = (await root.get('/api/log/?p=1&page_size=1&type=2')).json.data
      const { quota } = (await root.get('/api/user/self')).json.data
      expect([items[0].prompt_tokens, items[0].completion_tokens]).toEqual([23, 19])
      expect(items[0].quota).toBeGreaterThan(0)
      expect(quota).toBe(5_000_000 - items[0].quota)
    } finally {
      server.kill('SIGTERM')
      await server.exited
      await upstream.stop()
    }
    const audit = Bun.spawnSync([...command(), 'audit'], { cwd: empty, env })
    expect(audit.stdout.toString()).toContain('ok     wallet = entries - open holds')
    expect(audit.exitCode).toBe(0)
  },
)

test('tells what commands it has to whoever asks for another', async () => {
  const empty = await mkdtemp(join(folder, 'empty-'))
  const { stderr, exitCode } = Bun.spawnSync([program, 'improt', 'one-api.db'], {
    cwd: empty,
    env: { PATH: '' },
  })
  expect(stderr.toString()).toContain(
    '"improt" is no command; there are: audit, backup <folder>, import <database>',
  )
  expect(exitCode).toBe(78)
})

test.each(forms)('%s: says how a command is typed where it runs', async (form, command) => {
  const typed = form === 'one file' ? 'tollgate import' : 'npm run import --'
  const empty = await mkdtemp(join(folder, 'empty-'))
  const { stderr } = Bun.spawnSync([...command(), 'import'], { cwd: empty, env: { PATH: '' } })
  const usage = stderr.toString().split('\n')
  expect(usage[0]).toBe(`${typed} <database> [--without-log]`)
  expect(usage.filter(line => line.startsWith(typed))).toHaveLength(3)
})

async function addressSaidIn(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let said = ''
  for await (const bytes of output.values({ preventCancel: true })) {
    said += new TextDecoder().decode(bytes)
    const address = /listening on (http:\S+)\n/.exec(said)?.[1]
    if (address) return address
  }
  throw new Error(`it ended before it listened: ${said}`)
}
