import { expect, test } from 'bun:test'
import { agentSnippet, agents } from './agent-snippets.ts'

const address = 'https://gateway.example.com/'

test('each is told the address, the key and the model once it needs them', () => {
  for (const agent of agents) {
    const text = agentSnippet(agent, address, 'sk-abc', 'claude-sonnet-4-6')
    for (const part of ['https://gateway.example.com', 'sk-abc', 'claude-sonnet-4-6'])
      expect(text).toContain(part)
    expect(text).not.toContain('.com//')
  }
  expect(agentSnippet('claude', address, 'sk-abc', 'm')).toContain(
    'export ANTHROPIC_BASE_URL=https://gateway.example.com\nexport ANTHROPIC_AUTH_TOKEN=sk-abc\n',
  )
  expect(agentSnippet('codex', address, 'sk-abc', 'm')).toContain(
    'base_url = "https://gateway.example.com/v1"\nenv_key = "TOLLGATE_KEY"',
  )
})

test('a shell reads a strange name as one word and runs nothing of it', async () => {
  const name = `it's "a" $(model); rm -rf`
  const script = `${agentSnippet('openai', address, 'sk-abc', name)}\nprintf %s "$OPENAI_MODEL"`
  expect(await Bun.$`sh -c ${script}`.text()).toBe(name)
})

test('a file that is read as TOML has the strange name whole', () => {
  const name = 'a "quoted" \\ name'
  const read = Bun.TOML.parse(agentSnippet('codex', address, 'sk-abc', name)) as { model: string }
  expect(read.model).toBe(name)
})
