import { asObject, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'
import { keepBetas } from '../kit/edits/keep-betas.ts'
import { mapChanged } from '../kit/edits/map-changed.ts'
import { claudeName } from './address.ts'

/** What Google knows; any other is a 400. */
const betas: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'compact-2026-09-04',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
  'web-search-2025-03-05',
])

/** The model stands in the address; version and betas, elsewhere headers, in the body. */
export function fitClaude(body: JsonObject, _to: Destination, client?: Headers): Edits {
  const kept = body.anthropic_beta === undefined ? keepBetas(betas, body, client) : undefined
  return {
    model: undefined,
    anthropic_version: 'vertex-2023-10-16',
    ...(kept && { anthropic_beta: kept }),
  }
}

/** Only the address of counting is the same for all models. */
export function fitClaudeCount(_body: JsonObject, to: Destination): Edits {
  return { model: claudeName(to), anthropic_version: 'vertex-2023-10-16' }
}

/** The wrapper is the Developer API's alone. */
export function unwrapCount(body: JsonObject): Edits | undefined {
  const inner = asObject(body.generateContentRequest)
  if (!inner) return undefined
  const { model: _, ...rest } = inner
  return { ...rest, generateContentRequest: undefined }
}

/** Calls and results are matched by their order here; ids are unknown fields to many of its models. */
export function leaveOutCallIds(body: JsonObject): Edits | undefined {
  const contents = mapChanged(body.contents, content => {
    if (!isObject(content)) return content
    const parts = mapChanged(content.parts, leaveOutId)
    return parts ? { ...content, parts } : content
  })
  return contents && { contents }
}

/** The flag is the Developer API's alone; here both kinds of tools go together without. */
export function leaveOutMixing(body: JsonObject): Edits | undefined {
  const config = asObject(body.toolConfig)
  if (config?.includeServerSideToolInvocations === undefined) return undefined
  const { includeServerSideToolInvocations: _, ...toolConfig } = config
  return { toolConfig: Object.keys(toolConfig).length > 0 ? toolConfig : undefined }
}

const holders = ['functionCall', 'functionResponse', 'function_call', 'function_response'] as const

function leaveOutId(part: Json): Json {
  if (!isObject(part)) return part
  for (const name of holders) {
    const held = asObject(part[name])
    if (held?.id === undefined) continue
    const { id: _, ...rest } = held
    return { ...part, [name]: rest }
  }
  return part
}
