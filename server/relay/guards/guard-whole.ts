import { parseExactly } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { isTranscript, type PlainCall } from '../plain/plain-call.ts'
import { textsOfAnswer } from './answer-texts.ts'
import type { CallGuard } from './call-guard.ts'
import { linesOfTranscript, textsOfTranscript } from './transcript-texts.ts'

/** A whole answer as it may go to its client; the same text where nothing is masked. */
export async function guardWhole(guard: CallGuard, dialect: DialectName, text: string): Promise<string> {
  const body = parseExactly(text)
  if (!body) return text
  return (await guard.readAnswer(textsOfAnswer(dialect, body))) ? JSON.stringify(body) : text
}

/** The same of a completion or a transcript. */
export async function guardPlainAnswer(
  guard: CallGuard,
  call: PlainCall,
  written: string | Uint8Array<ArrayBuffer>,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const text = typeof written === 'string' ? written : Buffer.from(written).toString('utf8')
  const masked = isTranscript(call.capability)
    ? await guardTranscript(guard, call, text)
    : await guardWhole(guard, 'openai-chat', text)
  return masked === text ? written : masked
}

async function guardTranscript(guard: CallGuard, { fields }: PlainCall, text: string): Promise<string> {
  const isText = ['text', 'srt', 'vtt'].includes(String(fields.response_format))
  const body = isText ? undefined : parseExactly(text)
  if (body) return (await guard.readAnswer(textsOfTranscript(body))) ? JSON.stringify(body) : text
  const { places, lines } = linesOfTranscript(text, fields.response_format !== 'text')
  return (await guard.readAnswer(places)) ? lines.join('') : text
}
