import { type JsonObject, parseExactly } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { makesPictures, type PlainCall } from '../plain/plain-call.ts'
import type { TextPlace } from '../request/spoken-texts.ts'
import { textsOfAnswer } from './answer-texts.ts'
import type { CallGuard } from './call-guard.ts'
import { textsOfPages, textsOfRanking, textsOfResults, textsOfSearch } from './found-texts.ts'
import { guardPictures } from './guard-pictures.ts'
import { linesOfTranscript, textsOfTranscript } from './transcript-texts.ts'

/** A whole answer as it may go to its client; the same text where nothing is masked. */
export async function guardWhole(guard: CallGuard, dialect: DialectName, text: string): Promise<string> {
  return guardJson(guard, text, body => textsOfAnswer(dialect, body))
}

async function guardJson(
  guard: CallGuard,
  text: string,
  textsOf: (body: JsonObject) => TextPlace[],
): Promise<string> {
  const body = parseExactly(text)
  if (!body) return text
  return (await guard.readAnswer(textsOf(body))) ? JSON.stringify(body) : text
}

/** The same of a call that is not chat. */
export async function guardPlainAnswer(
  guard: CallGuard,
  call: PlainCall,
  written: string | Uint8Array<ArrayBuffer>,
): Promise<string | Uint8Array<ArrayBuffer>> {
  if (makesPictures(call.capability)) return guardPictures(guard, written)
  const text = typeof written === 'string' ? written : Buffer.from(written).toString('utf8')
  const masked = await guardText(guard, call, text)
  return masked === text ? written : masked
}

function guardText(guard: CallGuard, call: PlainCall, text: string): Promise<string> {
  switch (call.capability) {
    case 'transcriptions':
    case 'translations':
      return guardTranscript(guard, call, text)
    case 'search':
      return guardJson(guard, text, textsOfSearch)
    case 'rerank':
      return guardJson(guard, text, textsOfRanking)
    case 'web-search':
      return guardJson(guard, text, textsOfResults)
    case 'ocr':
      return guardJson(guard, text, textsOfPages)
    default:
      return guardWhole(guard, 'openai-chat', text)
  }
}

async function guardTranscript(guard: CallGuard, { fields }: PlainCall, text: string): Promise<string> {
  const isText = ['text', 'srt', 'vtt'].includes(String(fields.response_format))
  const body = isText ? undefined : parseExactly(text)
  if (body) return (await guard.readAnswer(textsOfTranscript(body))) ? JSON.stringify(body) : text
  const { places, lines } = linesOfTranscript(text, fields.response_format !== 'text')
  return (await guard.readAnswer(places)) ? lines.join('') : text
}
