import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSettingKey } from '../contract/settings/index.ts'
import { ROOT_PASSWORD, startProgram } from './program.ts'

const root = join(import.meta.dir, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const chinese = readFileSync(join(root, 'README.zh.md'), 'utf8')
const traces = readFileSync(join(root, 'docs', 'operating', 'traces.md'), 'utf8')

/** The calls of a block of shell commands, with what the reader is to put in. */
function callsIn(block: string, put: Readonly<Record<string, string>>) {
  const text = Object.entries(put).reduce((said, [from, to]) => said.replaceAll(from, to), block)
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(line => line.startsWith('curl'))
    .map(line => ({
      path: /http:\/\/localhost:3000([^\s']*)/.exec(line)?.[1] ?? '',
      method: /-X (\w+)/.exec(line)?.[1] ?? (line.includes(" -d '") ? 'POST' : 'GET'),
      headers: Object.fromEntries(
        [...line.matchAll(/-H ['"]([\w-]+): ([^'"]*)['"]/g)].map(([, name = '', value = '']) => [
          name,
          value,
        ]),
      ),
      body: / -d '([^']*)'/.exec(line)?.[1],
      keepsCookie: line.includes('-c jar'),
      sendsCookie: line.includes('-b jar'),
    }))
}

test('who follows the README by calls, word by word, has a channel, a token and a balance', async () => {
  const block =
    /Scripts do the same by calls[^`]*(?:`[^`]*`[^`]*)*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const program = await startProgram({ ROOT_PASSWORD })
  let cookie = ''
  let token = ''
  expect(block).toContain('<the vendor’s key>')
  const asked = callsIn(block, {
    '"password":"…"': `"password":"${ROOT_PASSWORD}"`,
    '<the vendor’s key>': 'sk-0123456789abcdef',
  })
  expect(asked.length).toBeGreaterThan(5)
  let last: { data?: unknown } = {}
  for (const { path, method, headers, body, keepsCookie, sendsCookie } of asked) {
    const sent: Record<string, string> = sendsCookie ? { ...headers, cookie } : { ...headers }
    if (sent.Authorization) sent.Authorization = sent.Authorization.replace('<that token>', token)
    const answer = await fetch(`${program.url}${path}`, { method, headers: sent, body: body ?? null })
    last = (await answer.json()) as { data?: unknown }
    expect([path, answer.status, last]).toEqual([path, 200, expect.objectContaining({ success: true })])
    if (keepsCookie) cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    if (path === '/api/user/token') token = String(last.data)
  }
  const get = async (path: string) => {
    const answer = await fetch(`${program.url}${path}`, { headers: { authorization: token } })
    return ((await answer.json()) as { data: Record<string, unknown> & Record<string, unknown>[] }).data
  }
  expect((await get('/api/user/self')).quota).toBe(5_000_000)
  const [mine] = await get('/api/token/?p=0')
  const models = await fetch(`${program.url}/v1/models`, {
    headers: { authorization: `Bearer sk-${mine?.key}` },
  })
  const example = /"model": "([^"]+)"/.exec(readme)?.[1]
  expect(JSON.stringify(await models.json())).toContain(`"${example}"`)
  await program.stop()
})

test('the Chinese README has the same calls, addresses and commands', () => {
  const told = (page: string) => ({
    calls: callsIn(page.replace(/<[^<>\n]*>/g, '<>'), { 你好: 'Hello' }),
    addresses: [...page.matchAll(/^\| (?:OpenAI|Anthropic|Gemini) \| .*/gm)].map(([row]) =>
      [...row.matchAll(/[\w/]*\/\w+|:\w+/g)].map(([word]) => word),
    ),
    commands: [...page.matchAll(/^\| `(npm run \w+)/gm)].map(([, command]) => command),
  })
  expect(told(chinese)).toEqual(told(readme))
  expect(told(readme).calls).toHaveLength(7)
  expect(told(readme).addresses.flat()).toContain('responses/compact')
})

test('the tables of the environment name what is read, each once, and nothing else', () => {
  const source = ['env.ts', 'otel-env.ts']
    .map(file => readFileSync(join(root, 'server', file), 'utf8'))
    .join('\n')
  const read = [...source.matchAll(/(?:given|whole)\('([A-Z_]+)'/g)].map(([, name]) => name)
  for (const page of [readme, chinese]) {
    const told = [...`${page}\n${traces}`.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
    expect(told.toSorted()).toEqual([...new Set(read)].toSorted())
  }
})

test('the settings of the guide, by their names, are settings', () => {
  const index = readFileSync(join(root, 'docs', 'operating.md'), 'utf8')
  const [, table = ''] = index.split('| setting | |')
  const named = [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  expect(named).toContain('RetryTimes')
  expect(named.filter(name => !isSettingKey(name))).toEqual([])
})

test('every npm command of the READMEs is there, and so is every file they lead to', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const others = ['README.zh.md', 'CONTRIBUTING.md'].map(page => readFileSync(join(root, page), 'utf8'))
  const pages = [readme, ...others].join('\n')
  for (const [, name = ''] of pages.matchAll(/npm run ([\w-]+)/g))
    expect(Object.keys(scripts)).toContain(name)
  for (const [, file = ''] of pages.matchAll(/\]\(((?!http|#)[^)#]+)/g))
    expect([file, readFileSync(join(root, file), 'utf8').length > 0]).toEqual([file, true])
  for (const name of Object.keys(scripts)) expect(pages).toMatch(new RegExp(`npm (run )?${name}\\b`))
})
