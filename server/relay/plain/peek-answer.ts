import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { readPages, readPlainUsage } from './read-usage.ts'
import type { Seen } from './seen.ts'

const LONGEST_USAGE = 2000

/** Looks at both ends of a JSON answer that nobody wants to parse. False when it is not whole. */
export function peekAnswer(seen: Seen, head: Buffer, tail: Buffer): boolean {
  if (!head.toString('latin1', 0, 64).trimStart().startsWith('{')) return false
  if (
    !tail
      .toString('latin1', Math.max(0, tail.length - 64))
      .trimEnd()
      .endsWith('}')
  )
    return false
  for (const end of [tail, head]) {
    const text = end.toString('utf8')
    for (const name of ['usage', 'meta', 'usageMetadata']) {
      const found = findObject(text, name)
      seen.usage ??= found && readPlainUsage({ [name]: found })
    }
    const usage_info = seen.pages === undefined ? findObject(text, 'usage_info') : undefined
    if (usage_info) Object.assign(seen, readPages({ usage_info }))
  }
  return true
}

/** How often something stands in the bytes; for counting pictures without reading them. */
export function countOccurrences(bytes: Buffer, what: string): number {
  const needle = Buffer.from(what)
  let count = 0
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) count++
  return count
}

/** The last `"name":{…}` of a text, when it can be read. */
function findObject(text: string, name: string): JsonObject | undefined {
  const at = text.lastIndexOf(`"${name}"`)
  const open = at < 0 ? -1 : text.indexOf('{', at)
  if (open < 0 || !/^\s*:\s*$/.test(text.slice(at + name.length + 2, open))) return undefined
  for (
    let end = text.indexOf('}', open);
    end >= 0 && end - open < LONGEST_USAGE;
    end = text.indexOf('}', end + 1)
  ) {
    const found = parseObject(text.slice(open, end + 1))
    if (found) return found
  }
  return undefined
}
