import { openWord } from '../kit/edits/fit-effort.ts'

/** Qwen reasons or does not; models that do not reason refuse to be asked. */
export function effortWord(effort: string, model: string): string | undefined {
  if (/gpt-oss/.test(model)) return openWord(effort, model)
  if (/qwen/i.test(model)) return effort === 'none' ? 'none' : 'default'
  return undefined
}
