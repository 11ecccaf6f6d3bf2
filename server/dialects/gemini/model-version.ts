export interface ModelVersion {
  /** 0 for a name that says nothing, such as an operator's own. */
  readonly major: number
  readonly minor: number
  readonly family: 'pro' | 'flash' | 'lite' | 'other'
  /** Models that draw or speak take no thinking settings. */
  readonly thinks: boolean
}

/** Names that always stand for the newest model. */
const LATEST = { major: 3, minor: 99 }

export function readModelVersion(model: string): ModelVersion {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const { major, minor } = readNumbers(name)
  const thinks = (major > 2 || (major === 2 && minor >= 5)) && !/image|tts|audio|live|embedding/.test(name)
  return { major, minor, family: readFamily(name), thinks }
}

/** JSON Schema whole came with 2.5. Of an unknown name the newer is assumed. */
export function takesJsonSchema(version: ModelVersion): boolean {
  return version.major === 0 || version.major > 2 || (version.major === 2 && version.minor >= 5)
}

/** Only these do; to the others a penalty is a 400. */
export function takesPenalties({ major, minor }: ModelVersion): boolean {
  return major === 2 && minor === 0
}

/** Google's own tools beside functions. Before, a model took either. */
export function mixesTools({ major }: ModelVersion): boolean {
  return major === 0 || major >= 3
}

function readNumbers(name: string): { major: number; minor: number } {
  if (/^gemini-(pro|flash|flash-lite)-latest$/.test(name)) return LATEST
  const match = /^gemini-(\d{1,3})(?:\.(\d{1,3}))?(?:-|$)/.exec(name)
  return { major: Number(match?.[1] ?? 0), minor: Number(match?.[2] ?? 0) }
}

function readFamily(name: string): ModelVersion['family'] {
  if (name.includes('lite')) return 'lite'
  if (name.includes('flash')) return 'flash'
  return name.includes('pro') ? 'pro' : 'other'
}
