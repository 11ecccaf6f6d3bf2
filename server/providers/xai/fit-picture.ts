import type { JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'
import { nearestShape } from '../kit/edits/nearest-shape.ts'

const shapes = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '2:1', '1:2']
const qualities = new Set<unknown>(['low', 'medium', 'high'])

/** It refuses `size` and `style`, which many clients always send; newer models are told a shape, and how fine. */
export function fitPicture(body: JsonObject, { model }: Pick<Destination, 'model'>): Edits | undefined {
  const { size, style, quality, aspect_ratio } = body
  const edits: Edits = {}
  if (style !== undefined) edits.style = undefined
  if (quality !== undefined && !(isNewer(model) && qualities.has(quality))) edits.quality = undefined
  if (size !== undefined) {
    edits.size = undefined
    const shape = typeof size === 'string' && isNewer(model) ? nearestShape(size, shapes) : undefined
    if (shape && aspect_ratio === undefined) edits.aspect_ratio = shape
  }
  return Object.keys(edits).length > 0 ? edits : undefined
}

/** The older one makes one shape. */
function isNewer(model: string): boolean {
  return !/^grok-2/.test(model)
}
