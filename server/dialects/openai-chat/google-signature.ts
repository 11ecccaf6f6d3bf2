import { asObject, asText, type JsonObject } from '../json.ts'

// Where Google's own chat surface carries the signatures of Gemini.

export function readGoogleSignature(holder: JsonObject): string | undefined {
  return asText(asObject(asObject(holder.extra_content)?.google)?.thought_signature) || undefined
}

export function writeGoogleSignature(signature: string): JsonObject {
  return { google: { thought_signature: signature } }
}
