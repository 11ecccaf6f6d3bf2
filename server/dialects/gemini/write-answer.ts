import type { Asked } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import { listLogprobs } from '../logprobs.ts'
import type { AnswerPart, NeutralAnswer, ThinkingPart } from '../spec.ts'
import { breakCall, writeFinishWord } from './finish-reasons.ts'
import { hidesThoughts } from './hides-thoughts.ts'
import { writeLogprobsResult } from './logprobs.ts'
import {
  writeAnswerCall,
  writeGrounding,
  writeMediaOut,
  writeRedacted,
  writeThought,
} from './write-answer-parts.ts'
import { writeUsage } from './write-usage.ts'

export function writeAnswer(answer: NeutralAnswer, asked: Asked): JsonObject {
  const hides = hidesThoughts(asked.request)
  const written = answer.parts.map(part => writePart(part, hides))
  const brokeCall = answer.parts.some((part, at) => part.type === 'tool-call' && !written[at])
  const finish = brokeCall ? breakCall(answer.finish) : answer.finish
  const parts = written.filter(part => part !== undefined)
  const candidate: JsonObject = {
    content: {
      parts: parts.length > 0 || finish.reason === 'filtered' ? parts : [{ text: '' }],
      role: 'model',
    },
    finishReason: writeFinishWord(finish),
    index: 0,
  }
  if (finish.explanation) candidate.finishMessage = finish.explanation
  const grounding = writeGrounding(answer.parts.filter(part => part.type === 'citation'))
  if (grounding) candidate.groundingMetadata = grounding
  const tokens = listLogprobs(answer.parts)
  if (tokens.length > 0) {
    candidate.logprobsResult = writeLogprobsResult(tokens)
    candidate.avgLogprobs = tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length
  }
  const body: JsonObject = { candidates: [candidate] }
  if (answer.usage) body.usageMetadata = writeUsage(answer.usage)
  body.modelVersion = asked.model
  body.responseId = answer.id
  return body
}

function writePart(part: AnswerPart, hidesThoughts: boolean): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      if (part.signature !== undefined) return { text: part.text, thoughtSignature: part.signature }
      return part.text === '' ? undefined : { text: part.text }
    case 'thinking':
      return writeThinking(part, hidesThoughts)
    case 'tool-call':
      return writeAnswerCall(part)
    case 'media':
      return writeMediaOut(part)
    case 'citation':
      return undefined
  }
}

/** A signature is worth nothing without the text that it signs. */
function writeThinking(part: ThinkingPart, hides: boolean): JsonObject | undefined {
  if (part.redacted !== undefined) return writeRedacted(part.redacted, part.signature?.by ?? 'anthropic')
  if (hides && part.text !== '') return undefined
  return part.text === '' && !part.signature ? undefined : writeThought(part.text, part.signature)
}
