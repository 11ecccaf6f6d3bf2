import * as z from 'zod/mini'
import { splitAtPlaces } from '../../../../contract/prompt-text.ts'
import type { PromptMessage, PromptRole } from '../../../../contract/prompts.ts'
import { CannotCome } from './place.ts'

/** One of LiteLLM's prompts: what it says, as a `.prompt` file has it, and what stands before that. */
export interface ForeignPrompt {
  readonly name: string
  readonly text: string
  /** Beside the text; what the text says itself counts first. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface PlannedPrompt {
  readonly messages: PromptMessage[]
  readonly model: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** What did not come. */
  readonly odd: readonly string[]
}

/** Between two lines of dashes at its beginning, as YAML. */
const frontMatter = /^\s*---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/
const anything = z.record(z.string(), z.unknown())

const parameterNames = [
  ...['temperature', 'top_p', 'max_tokens', 'frequency_penalty', 'presence_penalty'],
  ...['seed', 'stop', 'reasoning_effort'],
]
/** What says how the file is read, and nothing to the model. */
const unheard = new Set(['model', 'config', 'input', 'name', 'description', 'version', 'prompt_id'])

/** What of a prompt can be had here; throws a CannotCome where that would be something else. */
export function readDotprompt({ text, metadata }: Omit<ForeignPrompt, 'name'>): PlannedPrompt {
  const [head = '', yaml = ''] = frontMatter.exec(text) ?? []
  const said = { ...metadata, ...readYaml(yaml) }
  const told = { ...said, ...anything.safeParse(said.config).data }
  const body = text.slice(head.length)
  refuseTemplates(body)
  const model = typeof said.model === 'string' ? said.model.trim() : ''
  const isModel = !model.includes('{')
  const entries = Object.entries(told).filter(([, value]) => value !== null && value !== undefined)
  const unknown = entries
    .map(([name]) => name)
    .filter(name => !unheard.has(name) && !parameterNames.includes(name))
  return {
    messages: readMessages(body),
    model: isModel ? model : '',
    parameters: Object.fromEntries(entries.filter(([name]) => parameterNames.includes(name)).map(asHere)),
    odd: [
      ...(isModel ? [] : ['callers name its model']),
      ...(unknown.length > 0 ? [`without ${unknown.join(', ')}`] : []),
    ],
  }
}

function asHere([name, value]: [string, unknown]): [string, unknown] {
  return [name, name === 'stop' && typeof value === 'string' ? [value] : value]
}

function readYaml(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const { data } = anything.safeParse(Bun.YAML.parse(text))
    if (data) return data
  } catch {
    // Told below: what the parser says repeats lines of the file.
  }
  throw new CannotCome('what stands between its dashes is no YAML that can be read')
}

/** Here variables are put in and nothing else: conditions, loops and filters would be sent as they stand. */
function refuseTemplates(text: string): void {
  const plain = splitAtPlaces(text)
    .filter((_, at) => at % 2 === 0)
    .join('')
  if (/\{\{|\{%|\{#/.test(plain))
    throw new CannotCome('it is a template of more than variables in double braces')
}

const roles: Readonly<Record<string, PromptRole>> = {
  System: 'system',
  Developer: 'system',
  User: 'user',
  Assistant: 'assistant',
}
const atRole = /^(System|Developer|User|Assistant):[ \t]*/m

/** Who speaks stands before it, at the beginning of a line; without that it is the user. */
function readMessages(text: string): PromptMessage[] {
  const [before = '', ...said] = text.split(atRole)
  const messages: PromptMessage[] = [{ role: 'user', content: before.trim() }]
  for (let at = 0; at < said.length; at += 2)
    messages.push({ role: roles[said[at] ?? ''] ?? 'user', content: (said[at + 1] ?? '').trim() })
  return messages.filter(({ content }) => content !== '')
}
