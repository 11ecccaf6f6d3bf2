import type { Client } from '../../client.ts'

const support = (rules: readonly string[]) => [
  {
    role: 'system',
    content: ['You answer customers of {{company}}, politely and in their own language.', ...rules].join(
      '\n',
    ),
  },
  { role: 'user', content: 'Customer: {{customer}}\nOrder: {{order}}\n\n{{question}}' },
]
const first = ['Never promise a refund.']
const second = ['Answer in five sentences at most.', 'Never promise a refund; offer to ask a colleague.']
const third = [...second, 'If the order is unknown, ask for its number.']

/** Prompts with several versions, with one, and with as much to say as a row has no room for. */
export async function keepPrompts(client: Client): Promise<void> {
  const model = 'gpt-4o-mini'
  const id = await add(client, {
    ...{ name: 'support-reply', messages: support(first), model, note: 'First wording' },
    parameters: { temperature: 0.3, max_tokens: 600 },
  })
  for (const [rules, note] of [
    [second, 'Shorter answers'],
    [third, 'Asks for the number of an unknown order'],
  ] as const) {
    const body = { messages: support(rules), model, note, parameters: { temperature: 0.2, max_tokens: 400 } }
    await client.post(`/api/prompt/${id}/version`, { ...body, use: note === 'Shorter answers' })
  }
  await add(client, {
    ...{ name: 'translate', model: 'claude-sonnet-4-6', note: '润色并翻译' },
    messages: [{ role: 'user', content: '把下面的文字翻译成{{语言}}，保持语气：\n\n{{文本}}' }],
  })
  await add(client, {
    name: 'summary-of-long-meetings-with-decisions-and-open-questions',
    messages: [{ role: 'system', content: 'Summarise what was decided, by whom, and what is still open.' }],
    note: 'For the notes of every Monday, in which many people talk about many things at the same time',
  })
}

async function add(client: Client, prompt: object): Promise<number> {
  const { json } = await client.post('/api/prompt', prompt)
  if (!json?.success) throw new Error(`a prompt was refused: ${JSON.stringify(json)}`)
  return json.data.id
}
