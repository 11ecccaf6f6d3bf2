import { asText } from '../../../dialects/json.ts'
import type { EditBody } from '../../define.ts'

/** The word that a model has for an effort; undefined when it knows none. */
export type EffortWord = (effort: string, model: string) => string | undefined

/** For vendors that refuse words which their models do not know, or that their models do not reason at all. */
export function fitEffort(wordOf: EffortWord): EditBody {
  return (body, { model }) => {
    const effort = asText(body.reasoning_effort)
    if (effort === undefined) return undefined
    const word = wordOf(effort, model)
    return word === effort ? undefined : { reasoning_effort: word }
  }
}

const three = new Map([
  ['none', 'low'],
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
])

/** Wherever it is served, gpt-oss knows low, medium and high, and cannot be told not to reason. */
export function openWord(effort: string, model: string): string {
  return /gpt-oss/i.test(model) ? (three.get(effort) ?? effort) : effort
}

const qwenWords = new Map([
  ['minimal', 'low'],
  ['high', 'xhigh'],
  ['max', 'xhigh'],
])

/** The same for servers of one's own, where nobody but the model's template stands behind the word. */
export function templateWord(effort: string, model: string): string {
  if (/qwen-?3\.[89]/i.test(model)) return qwenWords.get(effort) ?? effort
  return openWord(effort, model)
}
