import { listOf } from './account-data.ts'
import { isTold, MOST_FILES, type NamedFiles, refuseTooManyFiles } from './file-names.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** Where callers describe what is their own, and may call anything so. */
const described: ReadonlySet<string> = new Set([
  ...['parameters', 'schema', 'json_schema', 'format', 'response_format', 'functions'],
  ...['input_schema', 'output_schema', 'headers', 'filters', 'metadata'],
])
/** What of an answer tells where something is from. */
const telling: ReadonlySet<string> = new Set(['annotations', 'results', 'outputs'])

/**
 * Those that a request in either of OpenAI's dialects names: parts of messages and of what tools gave, variables of
 * prompts, pictures, masks, and what is put where code runs. Not recursive: bodies may be deep.
 */
export function filesNamedIn(body: Json): NamedFiles {
  const wanted = new Set<string>()
  const met = new Set<string>()
  const told: Json[] = []
  look([body], wanted, met, told)
  look(told, met, met, told)
  for (const id of wanted) met.delete(id)
  // A long conversation may tell of any number that a search has found.
  return refuseTooManyFiles({ wanted, met: new Set([...met].slice(0, MOST_FILES - wanted.size)) })
}

/** Goes through all that waits; what only tells of something is put off. */
function look(waiting: Json[], wanted: Set<string>, met: Set<string>, told: Json[]): void {
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (const one of value) waiting.push(one)
    if (!isObject(value)) continue
    const named = isTold(value.type) ? met : wanted
    for (const id of idsOf(value)) named.add(id)
    for (const name in value) {
      if (described.has(name)) continue
      const inner = value[name] ?? null
      const isTelling = telling.has(name) && named !== met
      // Variables of a prompt are called as their writer likes.
      const all = name === 'variables' && isObject(inner) ? Object.values(inner) : [inner]
      for (const one of all) (isTelling ? told : waiting).push(one ?? null)
    }
  }
}

function idsOf({ file_id, file_ids }: JsonObject): string[] {
  return [file_id, ...listOf(file_ids)].flatMap(id => (typeof id === 'string' && id !== '' ? id : []))
}
