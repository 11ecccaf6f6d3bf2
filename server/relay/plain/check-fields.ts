import type { JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import type { PlainCapability } from '../../providers/define.ts'
import { boundPages, checkDocument } from './count-pages.ts'
import { countSearches } from './count-searches.ts'
import { readBounded, readFlag, readPictures, requireInput, requireList, requireText } from './read-fields.ts'
import { checkQueries } from './search-units.ts'

const MOST_DIMENSIONS = 1_000_000
const MOST_PARTIAL = 10

/** Refuses what money must not depend on; the rest is for the vendor to judge. */
export function checkFields(
  capability: PlainCapability,
  dialect: DialectName,
  fields: JsonObject,
): { readonly stream: boolean } {
  switch (capability) {
    case 'embeddings':
      if (dialect === 'gemini') return plain
      requireInput('input', fields.input)
      readBounded(fields, 'dimensions', MOST_DIMENSIONS)
      return plain
    case 'rerank':
      requireInput('query', fields.query)
      requireList('documents', fields.documents)
      readBounded(fields, 'top_n', MOST_DIMENSIONS)
      return plain
    case 'moderations':
      requireInput('input', fields.input)
      return plain
    case 'images':
    case 'image-edits':
      if (capability === 'images') requireText('prompt', fields.prompt)
      readPictures(fields)
      checkPartial(fields)
      return { stream: readFlag('stream', fields.stream) }
    case 'speech':
      requireText('input', fields.input)
      return { stream: fields.stream_format === 'sse' }
    case 'transcriptions':
    case 'translations':
    case 'completions':
      return { stream: readFlag('stream', fields.stream) }
    case 'search':
      countSearches(fields)
      return plain
    case 'web-search':
      checkQueries(fields)
      return plain
    case 'ocr':
      checkDocument(fields.document)
      boundPages(fields)
      return plain
    case 'count-tokens':
      return plain
  }
}

const plain = { stream: false }

function checkPartial({ partial_images }: JsonObject): void {
  if (partial_images === undefined || partial_images === null || partial_images === 0) return
  readBounded({ partial_images }, 'partial_images', MOST_PARTIAL)
}

/** How many answers a completion may give: one to each prompt, or as many as are asked for. */
export function countChoices(fields: JsonObject): number {
  const { prompt } = fields
  const isBatch = Array.isArray(prompt) && typeof prompt[0] !== 'number'
  const choices = Math.max(readBounded(fields, 'n') ?? 1, readBounded(fields, 'best_of') ?? 1)
  return choices * (isBatch ? Math.max(1, prompt.length) : 1)
}
