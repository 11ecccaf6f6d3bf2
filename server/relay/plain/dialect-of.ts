import type { Dialect } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import type { PlainEndpoint } from '../../providers/define.ts'

/** Whose words a form's errors are in. */
export const dialectOf: Readonly<Record<PlainEndpoint['form'], Dialect>> = {
  openai: dialects['openai-chat'],
  gemini: dialects.gemini,
  anthropic: dialects.anthropic,
}
