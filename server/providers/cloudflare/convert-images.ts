import { asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

/** Models whose picture comes inside JSON; others send its bytes, or want a form. */
export function drawsInJson({ model }: { readonly model: string }): boolean {
  return model.endsWith('/flux-1-schnell') || isSized(model)
}

/** Only this one takes a size. */
function isSized(model: string): boolean {
  return model.endsWith('/lucid-origin')
}

export const imageConversion: PlainConversion = {
  writeRequest({ prompt, n, size, seed, steps }, { model }) {
    if ((asNumber(n) ?? 1) > 1) refuseNamed('n')
    return {
      prompt,
      ...(seed !== undefined && { seed }),
      ...(steps !== undefined && { steps }),
      ...(isSized(model) && writeSize(size)),
    }
  },
  readAnswer({ result }) {
    const b64_json = asText(asObject(result)?.image)
    return b64_json ? { created: Math.floor(Date.now() / 1000), data: [{ b64_json }] } : undefined
  },
}

function writeSize(size: Json | undefined): JsonObject {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(asText(size) ?? '') ?? []
  return asCount(Number(width)) && asCount(Number(height))
    ? { width: Number(width), height: Number(height) }
    : {}
}
