import type { JsonObject } from '../../dialects/json.ts'

interface NamedModel {
  readonly fields: JsonObject
  /** Whether it looks things up unasked. */
  readonly searches: boolean
}

const SONAR = 'perplexity/sonar'

/** What the vendor itself says comes nearest to the models that it has withdrawn. */
const presets = new Map([
  ['sonar-pro', 'low'],
  ['sonar-reasoning', 'low'],
  ['sonar-reasoning-pro', 'low'],
  ['sonar-deep-research', 'medium'],
])

/**
 * Of its own models one is left; the others are ways of using it. It is always named, because a way alone may be
 * gone by another vendor's model. Names with a vendor before them are the vendor's own.
 */
export function nameModel(model: string): NamedModel {
  const preset = presets.get(model)
  if (preset !== undefined) return { fields: { model: SONAR, preset }, searches: true }
  if (model === 'sonar' || model === SONAR) return { fields: { model: SONAR }, searches: true }
  return { fields: { model }, searches: false }
}
