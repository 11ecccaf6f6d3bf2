import {
  LARGEST_PROMPT,
  LATEST,
  type PromptMessage,
  type PromptVersion,
  promptLabel,
  promptName,
} from '../../../contract/prompts.ts'

/** The parameters that are numbers, each with the least and the most that it may be. */
export const ranges = {
  temperature: [0, 2],
  top_p: [0, 1],
  max_tokens: [1, 10_000_000],
  frequency_penalty: [-2, 2],
  presence_penalty: [-2, 2],
  seed: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
} as const
export type NumberName = keyof typeof ranges
export const numberNames = Object.keys(ranges) as NumberName[]
const whole: ReadonlySet<NumberName> = new Set(['max_tokens', 'seed'])

/** A prompt as its form has it: numbers as typed, blank where nothing is said. */
export interface PromptDraft extends Record<NumberName, string> {
  name: string
  messages: PromptMessage[]
  model: string
  stop: string[]
  effort: string
  note: string
  use: boolean
  labels: string[]
}

export const newPrompt: PromptDraft = {
  ...(Object.fromEntries(numberNames.map(name => [name, ''])) as Record<NumberName, string>),
  name: '',
  messages: [
    { role: 'system', content: '' },
    { role: 'user', content: '' },
  ],
  model: '',
  stop: [],
  effort: '',
  note: '',
  use: true,
  labels: [],
}

export function draftOf(name: string, { messages, model, parameters }: PromptVersion): PromptDraft {
  const numbers = numberNames.map(one => [one, String(parameters[one] ?? '')])
  return {
    ...newPrompt,
    ...(Object.fromEntries(numbers) as Record<NumberName, string>),
    name,
    messages,
    model,
    stop: parameters.stop ?? [],
    effort: parameters.reasoning_effort ?? '',
  }
}

/** What is saved as a version. A first message for the system that nobody has filled in is none. */
export function contentOf(draft: PromptDraft) {
  const numbers = numberNames.flatMap(name =>
    draft[name].trim() === '' ? [] : [[name, Number(draft[name])]],
  )
  return {
    messages: saidIn(draft),
    model: draft.model.trim(),
    note: draft.note.trim(),
    labels: draft.labels,
    parameters: {
      ...(Object.fromEntries(numbers) as Partial<Record<NumberName, number>>),
      ...(draft.stop.length > 0 && { stop: draft.stop }),
      ...(draft.effort !== '' && { reasoning_effort: draft.effort as 'low' }),
    },
  }
}

function saidIn({ messages }: PromptDraft): PromptMessage[] {
  return messages.filter((message, at) => message.content !== '' || isLeftBlank(message, at))
}

/** Whether something is still to be said in it: a first one for the system may be left out. */
export function isLeftBlank({ role, content }: PromptMessage, at: number): boolean {
  return content === '' && (at > 0 || role !== 'system')
}

type PromptFault = 'nameWrong' | 'messagesWrong' | 'systemWrong' | 'largeWrong' | 'numberWrong' | 'labelWrong'

export function faultsOf(draft: PromptDraft): Partial<Record<keyof PromptDraft, PromptFault>> {
  const said = messageFault(saidIn(draft))
  const wrong = numberNames.filter(name => !isWithin(name, draft[name].trim()))
  return {
    ...(promptName.test(draft.name.trim()) ? {} : { name: 'nameWrong' }),
    ...(said ? { messages: said } : {}),
    ...(draft.labels.every(label => promptLabel.test(label) && label !== LATEST)
      ? {}
      : { labels: 'labelWrong' as const }),
    ...Object.fromEntries(wrong.map(name => [name, 'numberWrong'])),
  }
}

function messageFault(messages: readonly PromptMessage[]): PromptFault | undefined {
  if (messages.length === 0 || messages.some(({ content }) => content === '')) return 'messagesWrong'
  const first = messages.findIndex(({ role }) => role !== 'system')
  if (first >= 0 && messages.slice(first).some(({ role }) => role === 'system')) return 'systemWrong'
  return messages.reduce((sum, { content }) => sum + content.length, 0) > LARGEST_PROMPT
    ? 'largeWrong'
    : undefined
}

function isWithin(name: NumberName, text: string): boolean {
  if (text === '') return true
  const value = Number(text)
  const [least, most] = ranges[name]
  return value >= least && value <= most && (!whole.has(name) || Number.isSafeInteger(value))
}
