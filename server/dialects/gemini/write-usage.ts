import type { JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

export function writeUsage(usage: TokenUsage): JsonObject {
  const reasoning = Math.min(usage.reasoning ?? 0, usage.output)
  const written: JsonObject = {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - reasoning,
    totalTokenCount: usage.input + usage.output,
  }
  if (usage.cacheRead) written.cachedContentTokenCount = usage.cacheRead
  if (reasoning > 0) written.thoughtsTokenCount = reasoning
  const prompt = writeModalities(usage.input, usage.audioInput, usage.imageInput)
  const answer = writeModalities(usage.output - reasoning, usage.audioOutput, usage.imageOutput)
  if (prompt) written.promptTokensDetails = prompt
  if (answer) written.candidatesTokensDetails = answer
  return written
}

function writeModalities(all: number, audio = 0, image = 0): JsonObject[] | undefined {
  if (audio === 0 && image === 0) return undefined
  const counts = { TEXT: Math.max(all - audio - image, 0), AUDIO: audio, IMAGE: image }
  return Object.entries(counts).flatMap(([modality, tokenCount]) =>
    tokenCount > 0 ? [{ modality, tokenCount }] : [],
  )
}
