/**
 * The shape, such as `3:4`, that is nearest to a size such as `1024x1792`, or to another shape. Undefined for what is
 * neither: `auto` is for the model to choose.
 */
export function nearestShape(size: string, shapes: readonly string[]): string | undefined {
  const asked = ratioOf(size)
  if (asked === undefined) return undefined
  const far = (shape: string): number => Math.abs(Math.log(asked / (ratioOf(shape) ?? 0)))
  const [nearest] = [...shapes].sort((one, other) => far(one) - far(other))
  return nearest
}

function ratioOf(size: string): number | undefined {
  const [, width, height] = /^(\d{1,5})[x:](\d{1,5})$/.exec(size) ?? []
  const ratio = Number(width) / Number(height)
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined
}
