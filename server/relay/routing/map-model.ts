import { parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'

export type ModelMapping = ReadonlyMap<string, string>

/** `{"gpt-4o":"my-deployment"}`; undefined when the text is not such an object. */
export function readModelMapping(text: string): ModelMapping | undefined {
  const object = parseObject(text)
  if (!object) return undefined
  const mapping = new Map<string, string>()
  for (const [from, to] of Object.entries(object))
    if (typeof to === 'string' && to.trim() !== '') mapping.set(from.trim(), to.trim())
  return mapping
}

/** What the upstream calls the model: names are followed until one stands for itself or for nothing. */
export function mapModel(mapping: ModelMapping, model: string): string {
  const seen = new Set([model])
  for (let name = model; ; ) {
    const next = mapping.get(name)
    if (next === undefined || next === name) return name
    if (seen.has(next)) throw new AppError('relay.mapping-cycle', { model })
    seen.add(next)
    name = next
  }
}
