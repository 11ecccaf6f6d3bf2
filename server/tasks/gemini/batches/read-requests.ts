import { asArray, asObject, asText, isObject, type JsonObject } from '../../../dialects/json.ts'
import { refuseField } from '../../../dialects/refuse.ts'
import { AppError } from '../../../errors.ts'
import type { LineGuard } from '../../../relay/guards/line-guard.ts'
import type { Settings } from '../../../store/settings-snapshot.ts'
import { addSize, type Extent, newExtent } from '../../batches/extent.ts'
import { ENDPOINT } from './host.ts'
import { measureRequest } from './measure-request.ts'

const LONGEST_TITLE = 128
const fileName = /^files\/([a-z0-9-]{1,40})$/

/** A batch as its client wants it: of a file, by its name, or of the requests that came along. */
export interface WantedBatch {
  readonly title: string
  readonly file: string | undefined
  readonly requests: readonly unknown[]
}

/** A request that came along. */
export interface WantedRequest {
  readonly request: JsonObject
  /** The client's own, by which it knows the answer. */
  readonly metadata: JsonObject | undefined
}

export function readWanted(json: JsonObject): WantedBatch {
  const batch = asObject(json.batch)
  if (!batch) refuseField('batch', 'field.object')
  const title = asText(batch.displayName ?? batch.display_name ?? '') ?? ''
  if (title.length > LONGEST_TITLE || title.includes('\0'))
    refuseField('batch.displayName', 'field.most-characters', { most: LONGEST_TITLE })
  const input = asObject(batch.inputConfig ?? batch.input_config)
  const named = input?.fileName ?? input?.file_name
  const requests = asArray(asObject(input?.requests)?.requests)
  if (named === undefined && requests.length === 0) refuseField('batch.inputConfig.requests', 'field.some')
  if (named === undefined) return { title, file: undefined, requests }
  if (requests.length > 0) refuseField('batch.inputConfig.fileName', 'field.twice', { other: 'requests' })
  const [, file] = fileName.exec(asText(named) ?? '') ?? []
  if (file === undefined)
    refuseField('batch.inputConfig.fileName', 'field.like', { example: 'files/abc-123' })
  return { title, file, requests }
}

/** With what the operator's rules have masked in them; one that is wrong is named by its number. */
export function readRequests(
  given: readonly unknown[],
  model: string,
  settings: Settings,
  guard: LineGuard,
): { readonly requests: readonly WantedRequest[]; readonly extent: Extent } {
  const extent = { ...newExtent(), endpoint: ENDPOINT, model }
  const requests = given.map((one, at) => {
    try {
      return readRequest(one, model, { settings, guard, extent })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new AppError('gemini.batch-request', { at: at + 1, detail: error }, error)
    }
  })
  return { requests, extent }
}

interface Reading {
  readonly settings: Settings
  readonly guard: LineGuard
  readonly extent: Extent
}

function readRequest(given: unknown, model: string, { settings, guard, extent }: Reading): WantedRequest {
  const { request: asked, metadata } = asObject(given) ?? {}
  const body = asObject(asked)
  if (!body) refuseField('request', 'field.object')
  if (body.model !== undefined && body.model !== `models/${model}` && body.model !== model)
    refuseField('model', 'field.first-line', { first: model })
  const { model: _, ...request } = body
  guard.mask(model, request)
  addSize(extent, measureRequest(request, model, settings))
  return { request, metadata: isObject(metadata) ? metadata : undefined }
}
