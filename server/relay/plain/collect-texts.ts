import { isObject, type Json } from '../../dialects/json.ts'

/** What stands under these is not read word by word. */
const unread = new Set([
  'image',
  'image_url',
  'url',
  'data',
  'inlineData',
  'inline_data',
  'type',
  'model',
  'taskType',
])

/** Every text inside a value. Not recursive: bodies may be deep. */
export function collectTexts(start: Json | undefined): string[] {
  const texts: string[] = []
  walk(start, value => {
    if (typeof value === 'string' && value !== '') texts.push(value)
  })
  return texts
}

/** Where a client sends tokens instead of texts, each is one. */
export function countTokensGiven(start: Json | undefined): number {
  let count = 0
  walk(start, value => {
    if (typeof value === 'number') count++
  })
  return count
}

function walk(start: Json | undefined, visit: (value: Json) => void): void {
  const waiting: (Json | undefined)[] = [start]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const inner of value) waiting.push(inner)
    else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) if (!unread.has(key)) waiting.push(inner)
    } else visit(value)
  }
}
