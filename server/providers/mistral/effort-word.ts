/** The first models that can be told, by year and month. */
const FIRST = 2603

/** Its own models reason or do not; those of before, and those of other kinds, refuse to be asked. */
export function effortWord(effort: string, model: string): string | undefined {
  if (/^zai-glm/.test(model)) return glmWords.get(effort) ?? effort
  const [, month = FIRST] = /-(\d{4})$/.exec(model) ?? []
  if (!/^(mistral-(small|medium)|magistral-small)/.test(model) || Number(month) < FIRST) return undefined
  return effort === 'none' || effort === 'minimal' ? 'none' : 'high'
}

const glmWords = new Map([
  ['none', 'low'],
  ['minimal', 'low'],
  ['medium', 'high'],
  ['xhigh', 'max'],
])
