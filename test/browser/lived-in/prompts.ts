import type { Database } from 'bun:sqlite'
import type { Client } from '../../client.ts'
import { fillTable } from './fill-table.ts'
import { DAY } from './people.ts'

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
const fourth = [
  'Answer in three sentences at most.',
  ...third.slice(1),
  'Sign as {{agent}}, without a greeting from the company.',
]

/** Prompts with several versions and labels, with one, and with as much to say as a row has no room for. */
export async function keepPrompts(client: Client): Promise<void> {
  const model = 'gpt-4o-mini'
  const id = await add(client, {
    ...{ name: 'support-reply', messages: support(first), model, note: 'First wording' },
    parameters: { temperature: 0.3, max_tokens: 600 },
  })
  for (const [rules, note, more] of [
    [second, 'Shorter answers', { use: true }],
    [third, 'Asks for the number of an unknown order', { use: true, labels: ['eu', 'pilot-customers'] }],
    [fourth, 'Signed by whoever answers', { labels: ['staging'] }],
  ] as const) {
    const body = { messages: support(rules), model, note, parameters: { temperature: 0.2, max_tokens: 400 } }
    await client.post(`/api/prompt/${id}/version`, { ...body, ...more })
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

/** What the versions of the first have come to. */
export function callPrompts(database: Database, now: number): void {
  const day = now - (now % DAY)
  const uses = [
    [1, 3, 1204, 6, 812_345],
    [2, 2, 18_230, 41, 9_120_400],
    [3, 0, 642, 0, 301_200],
  ] as const
  fillTable(
    database,
    'prompt_usage_daily',
    uses.map(([version, ago, requests, errors, quota]) => ({
      ...{ prompt_id: 1, version, day: day - ago * DAY, requests, errors, quota },
      ...{ prompt_tokens: requests * 310, completion_tokens: requests * 90 },
    })),
  )
}
