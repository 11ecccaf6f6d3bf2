import type { JsonObject } from '../../dialects/json.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Edits } from '../../providers/define.ts'

/** Tiers that vendors ask more for than for the usual one; whoever relays would pay the difference. */
const dearTiers = new Set(['priority', 'fast', 'ultrafast', 'scale'])

/** What a client cannot have at the usual price is left out, unless the channel's operator lets it pass. */
export function withoutDearFields(body: JsonObject): Edits | undefined {
  const { service_tier, serviceTier, speed } = body
  if (service_tier === undefined && serviceTier === undefined && speed === undefined) return undefined
  return {
    ...(isDear(service_tier) ? { service_tier: undefined } : {}),
    ...(isDear(serviceTier) ? { serviceTier: undefined } : {}),
    ...(isDear(speed) ? { speed: undefined } : {}),
  }
}

export function withoutDearTier(request: NeutralRequest): NeutralRequest {
  return isDear(request.serviceTier) ? { ...request, serviceTier: undefined } : request
}

function isDear(value: unknown): boolean {
  return typeof value === 'string' && dearTiers.has(value.toLowerCase())
}
