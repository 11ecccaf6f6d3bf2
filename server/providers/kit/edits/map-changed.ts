import type { Json } from '../../../dialects/json.ts'

/** Like map, but hands back undefined when nothing changed, so that untouched bodies keep their bytes. */
export function mapChanged(list: unknown, change: (item: Json) => Json): Json[] | undefined {
  if (!Array.isArray(list)) return undefined
  let changed: Json[] | undefined
  for (let at = 0; at < list.length; at++) {
    const item: Json = list[at]
    const next = change(item)
    if (next === item) continue
    changed ??= list.slice()
    changed[at] = next
  }
  return changed
}
