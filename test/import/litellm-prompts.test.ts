// LiteLLM's prompts come with its configuration: those that stand in it, and those of its .prompt files.
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootClient } from '../client.ts'
import { freshDataDir, ROOT_PASSWORD, withProgram } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { run } from './older-house.ts'

afterAll(dropAll)

const config = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: sk-of-theirs }
litellm_settings:
  global_prompt_directory: ./prompts
prompts:
  - prompt_id: inline
    litellm_params:
      prompt_id: inline
      prompt_integration: dotprompt
      prompt_data:
        inline:
          content: "Hello {{ name }}! How can I help you with {{topic}}?"
          metadata: { model: gpt-4o, temperature: 0.7, max_tokens: 150, stop: END }
  - prompt_id: folder/written
    litellm_params:
      prompt_integration: dotprompt
      dotprompt_content: |
        ---
        model: gpt-4o
        temperature: 0.2
        output: { format: json }
        ---
        System: You are kind.
        Answer in few words.

        User: {{user_message}}
        Note: this line is the user's too.

        Assistant: Gladly.

        User: Go on.
  - prompt_id: from-file
    litellm_params: { prompt_id: of-a-file, prompt_integration: dotprompt, prompt_directory: ./other }
  - prompt_id: of-langfuse
    litellm_params: { prompt_integration: langfuse, langfuse_secret_key: lf-of-theirs }
  - prompt_id: lost
    litellm_params: { prompt_integration: dotprompt, prompt_directory: ./nowhere }
  - prompt_id: conditional
    litellm_params:
      prompt_integration: dotprompt
      dotprompt_content: "{% if formal %}Dear{% endif %} {{name}}"
  - prompt_id: filtered
    litellm_params: { prompt_integration: dotprompt, dotprompt_content: "Hi {{name | upper}}" }
  - prompt_id: too-warm
    litellm_params:
      prompt_integration: dotprompt
      prompt_data: { content: "Hi {{name}}", metadata: { temperature: 7 } }
  - prompt_id: late
    litellm_params: { prompt_integration: dotprompt, dotprompt_content: "User: Hi\\nSystem: obey" }
  - prompt_id: pmpt_theirs
    litellm_params: { prompt_integration: dotprompt, dotprompt_content: "Hi" }
`

function writeFiles(): string {
  const directory = freshDataDir()
  for (const name of ['prompts', 'other']) mkdirSync(join(directory, name))
  writeFileSync(join(directory, 'prompts', 'shared.prompt'), 'Just {{words}}')
  writeFileSync(join(directory, 'prompts', 'notes.txt'), 'no prompt')
  writeFileSync(
    join(directory, 'other', 'of-a-file.prompt'),
    '---\r\nmodel: "{{preferred_model}}"\r\nconfig:\r\n  top_p: 0.5\r\n---\r\nDeveloper: Be exact.\r\n\r\nUser: {{question}}\r\n',
  )
  const file = join(directory, 'config.yaml')
  writeFileSync(file, config)
  return file
}

test.each(engines.map(engine => [engine.name, engine] as const))('into %s', async (_name, { emptyUrl }) => {
  const environment = { DATA_DIR: freshDataDir(), DATABASE_URL: await emptyUrl(), ROOT_PASSWORD }
  const file = writeFiles()
  const first = await run(environment, 'import', file)
  expect([first.code, first.err]).toEqual([0, ''])
  expect(first.out).toContain(
    'prompts: left out: nobody is here yet to keep them; start once, and import again',
  )

  await withProgram(environment, async ({ url }) => {
    const root = await rootClient(url)
    expect((await root.get('/api/prompt')).json.data.total).toBe(0)
  })
  const second = await run(environment, 'import', file)
  expect([second.code, second.err]).toEqual([0, ''])
  for (const said of [
    ' 4 prompts\n',
    'prompt folder/written: is called folder-written here',
    'prompt folder/written: without output',
    'prompt from-file: callers name its model',
    'prompt of-langfuse: left out: its text is with langfuse: enter it in the console',
    'prompt lost: left out: its text is not to be found',
    'prompt conditional: left out: it is a template of more than variables in double braces',
    'prompt filtered: left out: it is a template of more than variables in double braces',
    'prompt too-warm: left out: what it says cannot be had here: parameters.temperature',
    'prompt late: left out: System messages must stand before all others',
    'prompt pmpt_theirs: left out: no prompt can be called so here',
    'prompts: root keeps them: tokens of that account call them',
  ])
    expect(second.out).toContain(said)
  expect(second.out).not.toContain('of-theirs')

  // Done again, nothing comes twice; for an account of its own, everything comes once more.
  expect((await run(environment, 'import', file)).out).toContain(' 0 prompts\n')
  await withProgram(environment, async ({ url }) => {
    const root = await rootClient(url)
    const account = { username: 'support', password: 'long-enough-1', display_name: 'Support' }
    expect((await root.post('/api/user', account)).json.success).toBe(true)
  })
  const named = await run(environment, 'import', file, '--prompts-for=support')
  expect([named.code, named.out.includes(' 4 prompts\n')]).toEqual([0, true])
  const nobody = await run(environment, 'import', file, '--prompts-for=nobody')
  expect([nobody.code, nobody.err]).toEqual([1, 'There is no account named nobody.\n'])

  await withProgram(environment, async ({ url }) => {
    const root = await rootClient(url)
    const { items } = (await root.get('/api/prompt?page_size=100')).json.data
    expect(items.map(({ name }: { name: string }) => name)).toEqual([
      'folder-written',
      'from-file',
      'inline',
      'shared',
    ])
    const whole = async (at: number) => (await root.get(`/api/prompt/${items[at].id}/version/1`)).json.data
    expect(await whole(0)).toMatchObject({
      model: 'gpt-4o',
      parameters: { temperature: 0.2 },
      messages: [
        { role: 'system', content: 'You are kind.\nAnswer in few words.' },
        { role: 'user', content: "{{user_message}}\nNote: this line is the user's too." },
        { role: 'assistant', content: 'Gladly.' },
        { role: 'user', content: 'Go on.' },
      ],
    })
    expect(await whole(1)).toMatchObject({
      model: '',
      parameters: { top_p: 0.5 },
      messages: [
        { role: 'system', content: 'Be exact.' },
        { role: 'user', content: '{{question}}' },
      ],
    })
    expect(await whole(2)).toMatchObject({
      model: 'gpt-4o',
      parameters: { temperature: 0.7, max_tokens: 150, stop: ['END'] },
      messages: [{ role: 'user', content: 'Hello {{ name }}! How can I help you with {{topic}}?' }],
    })
    expect(await whole(3)).toMatchObject({ messages: [{ role: 'user', content: 'Just {{words}}' }] })
  })
})
