import { expect, test } from 'bun:test'
import { maskedKey, shorten, snippet } from './request-snippets.ts'

const body = {
  model: 'gpt-4o-mini',
  messages: [
    { role: 'system', content: 'Say "hi"' },
    { role: 'user', content: "It's\n$HOME `ls` $(id)" },
  ],
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.3,
} as const

test('a shell hands the very body to curl, whatever is in it', () => {
  const code = snippet('curl', 'https://gate.example/', 'sk-abc', body)
  expect(code).toStartWith("curl -N 'https://gate.example/v1/chat/completions' \\\n")
  expect(snippet('curl', '', '$API_KEY', body)).toContain('"Authorization: Bearer $API_KEY"')
  const script = `curl() { for last; do :; done; printf '%s' "$last"; }\n${code}`
  const { stdout } = Bun.spawnSync(['sh', '-c', script])
  const { stream_options: _, ...sent } = body
  expect(JSON.parse(stdout.toString())).toEqual(sent)
})

test('Python reads the same values', () => {
  const code = snippet('python', 'https://gate.example', 'sk-abc', body)
  const stub = `import sys, types, json
module = types.ModuleType('openai')
class OpenAI:
    def __init__(self, **k):
        print(json.dumps(k))
        self.chat = types.SimpleNamespace(completions=types.SimpleNamespace(create=self.create))
    def create(self, **k):
        print(json.dumps(k))
        return []
module.OpenAI = OpenAI
sys.modules['openai'] = module
`
  const { stdout } = Bun.spawnSync(['python3', '-c', stub + code])
  const { stream_options: _, ...sent } = body
  expect(
    stdout
      .toString()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([{ base_url: 'https://gate.example/v1', api_key: 'sk-abc' }, sent])
})

test('TypeScript is a call of the same values', () => {
  const code = snippet('typescript', 'https://gate.example', 'sk-abc', body)
  const script = new Bun.Transpiler({ loader: 'ts' }).transformSync(
    code.replace(/^import.*$/m, '').replace('for await', 'for'),
  )
  const seen: unknown[] = []
  const create = (given: unknown) => {
    seen.push(given)
    return []
  }
  const stub = { chat: { completions: { create } } }
  const run = new Function('OpenAI', 'process', `return (async () => {${script}})()`)
  run(function OpenAI(options: unknown) {
    seen.push(options)
    return stub
  }, {})
  const { stream_options: _, ...sent } = body
  expect(seen[0]).toEqual({ baseURL: 'https://gate.example/v1', apiKey: 'sk-abc' })
  expect(seen[1]).toEqual(sent)
})

test('what is shown holds no key and no picture', () => {
  const url = `data:image/png;base64,${'iVBORw0K'.repeat(200)}`
  const picture = {
    ...body,
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  } as const
  const shown = shorten(snippet('curl', 'https://gate.example', maskedKey, picture))
  expect(shown.length).toBeLessThan(600)
  expect(shown).toContain('data:image/png;base64,iVBORw0K')
  expect(shown).toContain('sk-••••')
})
