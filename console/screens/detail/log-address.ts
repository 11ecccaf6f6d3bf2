import { stringifySearchWith } from '@tanstack/react-router'
import { logTypes } from '../../../contract/log-types.ts'
import { wholeModel } from '../../../contract/model-text.ts'
import type { LogSearch } from '../log/log-search.ts'
import type { Measure, Pivot } from './choices.ts'
import type { Stretch } from './period.ts'

/** As the router reads it. */
const stringifySearch = stringifySearchWith(String)

/** The rows of the log that a figure is made of; undefined where the log cannot be narrowed down to them. */
export function logAddress(
  { from, to }: Stretch,
  measure: Measure,
  subject?: { readonly by: Pivot; readonly key: string; readonly name: string },
): string | undefined {
  const narrowed = subject ? narrow(subject) : {}
  if (!narrowed) return undefined
  const search: LogSearch = { ...typeOf(measure), ...narrowed, start: from, end: to }
  return `/log${stringifySearch({ ...search })}`
}

function typeOf(measure: Measure): LogSearch {
  if (measure === 'errors') return { type: logTypes.error }
  return measure === 'requests' ? {} : { type: logTypes.consumption }
}

function narrow({ by, key, name }: { by: Pivot; key: string; name: string }): LogSearch | undefined {
  if (by === 'channel') return Number(key) > 0 ? { channel: Number(key) } : undefined
  // What has been deleted has an id and no name.
  if (key === '' || ((by === 'user' || by === 'token') && name === key)) return undefined
  if (by === 'user') return { user: name }
  if (by === 'token') return name === '' ? undefined : { token: name }
  if (by === 'label') return { label: key }
  return by === 'model' ? { model: wholeModel(key) } : { group: key }
}
