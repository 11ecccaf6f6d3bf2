import {
  ANY_MODEL,
  MOST_FALLBACKS,
  type ModelFallbacks,
} from '../../../../contract/settings/model-fallbacks.ts'
import type { ImportReport } from '../report.ts'
import type { Fallbacks } from './read-config.ts'

const LONGEST_NAME = 255

/** Lists for models that have none: what is set here already is left as it is. */
export function planFallbacks(
  { field, option, lists }: Fallbacks,
  inForce: Readonly<ModelFallbacks>,
  report: ImportReport,
): ModelFallbacks {
  const added: ModelFallbacks = {}
  for (const [model, listed] of lists) {
    const isDefault = model === ANY_MODEL && field === 'fallbacks'
    const what = isDefault ? 'default_fallbacks' : `${field} of ${model}`
    const given = Array.isArray(listed) ? (listed as unknown[]) : [listed]
    const names = [...new Set(given.filter(isName))].filter(name => name !== model && name !== ANY_MODEL)
    if (!isName(model) || names.length === 0) {
      report.note(`${what}: left out: that is no list of names`)
      continue
    }
    if (Object.hasOwn(inForce, model)) {
      if (inForce[model]?.join() !== names.slice(0, MOST_FALLBACKS).join())
        report.note(`${what}: ${option} has others: left as it is`)
      continue
    }
    if (!given.every(isName)) report.note(`${what}: without those that are no mere names`)
    if (names.length > MOST_FALLBACKS) report.note(`${what}: the first ${MOST_FALLBACKS} only`)
    added[model] = names.slice(0, MOST_FALLBACKS)
  }
  return added
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME && value !== '__proto__'
}
