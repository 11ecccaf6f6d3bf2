import { expect, test } from 'bun:test'
import { promptSnippet } from './prompt-snippets.ts'
import { languages } from './request-snippets.ts'

const called = {
  model: 'gpt-4o',
  prompt: { id: 'support', version: '2', variables: { name: `Ada's "x"`, 'a-b': '值' } },
}

test('curl sends what a shell hands on as it is', async () => {
  const script = promptSnippet('curl', 'https://a.example/', '$API_KEY', called)
  const shown = await Bun.$`API_KEY=sk-1 sh -c ${script.replace(/^curl/, `printf '%s\\n'`)}`.text()
  const lines = shown.split('\n')
  expect(lines[0]).toBe('https://a.example/v1/responses')
  expect(lines).toContain('Authorization: Bearer sk-1')
  expect(JSON.parse(shown.slice(shown.indexOf('{')))).toEqual(called)
})

test('Python and TypeScript name prompt and variables', () => {
  for (const language of languages.filter(one => one !== 'curl')) {
    const code = promptSnippet(language, 'https://a.example', 'sk-1', called)
    for (const part of ['https://a.example/v1', 'sk-1', '"support"', `"Ada's \\"x\\""`, '"a-b"'])
      expect(code).toContain(part)
  }
})
