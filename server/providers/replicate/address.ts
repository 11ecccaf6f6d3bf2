import { refuseField } from '../../dialects/refuse.ts'
import type { Destination } from '../define.ts'
import { encodeSegment } from '../kit/url.ts'

/** `owner/name:version`, or a version alone, is asked for by its version; `owner/name` has an address of its own. */
export function versionOf(model: string): string | undefined {
  return model.includes(':') || !model.includes('/') ? model : undefined
}

export function addressOf({ model }: Destination): string {
  if (versionOf(model) !== undefined) return '/v1/predictions'
  const [owner = '', name = '', ...more] = model.split('/')
  if (more.length > 0) refuseField('model', 'field.model-in-address')
  return `/v1/models/${encodeSegment(owner)}/${encodeSegment(name)}/predictions`
}
