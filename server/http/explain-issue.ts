import type * as z from 'zod/mini'
import type { Language, Text } from '../../contract/language.ts'

type Explain = z.core.$ZodErrorMap
type Issue = Parameters<Explain>[0]

const types: Readonly<Record<string, Text>> = {
  string: { zh: '文本', en: 'text' },
  number: { zh: '数字', en: 'a number' },
  int: { zh: '整数', en: 'a whole number' },
  boolean: { zh: '布尔值', en: 'true or false' },
  array: { zh: '列表', en: 'a list' },
  object: { zh: '对象', en: 'an object' },
  record: { zh: '对象', en: 'an object' },
}
const missing: Text = { zh: '不能缺少', en: 'is missing' }
/** Nobody reads a longer list of what there might have been. */
const MOST_OPTIONS = 20

/** What is wrong with a field, to stand behind its name; given to zod, which would say but that it is. */
export const explainIssue: Record<Language, Explain> = {
  zh: issue => explain(issue).zh,
  en: issue => explain(issue).en,
}

function explain(issue: Issue): Text {
  switch (issue.code) {
    case 'invalid_type':
      return explainType(String(issue.expected), issue.input)
    case 'too_small':
      return explainLeast(String(issue.origin), Number(issue.minimum))
    case 'too_big':
      return explainMost(String(issue.origin), Number(issue.maximum))
    case 'invalid_value':
      return explainOptions(issue.values)
    default:
      return issue.input === undefined ? missing : { zh: '格式不正确', en: 'is not valid' }
  }
}

function explainType(expected: string, given: unknown): Text {
  if (given === undefined) return missing
  const name = types[expected] ?? { zh: expected, en: expected }
  return { zh: `必须是${name.zh}`, en: `must be ${name.en}` }
}

function explainLeast(origin: string, least: number): Text {
  if (origin === 'string' && least === 1) return { zh: '不能为空', en: 'must not be empty' }
  if (origin === 'string') return { zh: `至少 ${least} 个字符`, en: `must have at least ${least} characters` }
  if (origin === 'array') return { zh: `至少 ${least} 项`, en: `must have ${least} or more entries` }
  return { zh: `不能小于 ${least}`, en: `must be at least ${least}` }
}

function explainMost(origin: string, most: number): Text {
  if (origin === 'string') return { zh: `最多 ${most} 个字符`, en: `must have at most ${most} characters` }
  if (origin === 'array') return { zh: `最多 ${most} 项`, en: `must have ${most} or fewer entries` }
  return { zh: `不能大于 ${most}`, en: `must be at most ${most}` }
}

function explainOptions(values: unknown): Text {
  const options = Array.isArray(values) ? values.slice(0, MOST_OPTIONS).map(String) : []
  return { zh: `必须是 ${options.join('、')} 之一`, en: `must be one of ${options.join(', ')}` }
}
