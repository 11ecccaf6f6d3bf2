import { parseExactly } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { textsOfAnswer } from './answer-texts.ts'
import type { CallGuard } from './call-guard.ts'

/** A whole answer as it may go to its client; the same text where nothing is masked. */
export async function guardWhole(guard: CallGuard, dialect: DialectName, text: string): Promise<string> {
  const body = parseExactly(text)
  if (!body) return text
  return (await guard.readAnswer(textsOfAnswer(dialect, body))) ? JSON.stringify(body) : text
}

export async function guardCompletion(
  guard: CallGuard,
  written: string | Uint8Array<ArrayBuffer>,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const text = typeof written === 'string' ? written : Buffer.from(written).toString('utf8')
  const masked = await guardWhole(guard, 'openai-chat', text)
  return masked === text ? written : masked
}
