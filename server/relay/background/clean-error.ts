import { asArray, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { Channel } from '../routing/channel.ts'
import { hostsOf, scrub } from '../upstream/scrub.ts'

/** Takes out of what failed, in place, what only the operator may know: whether there was something. */
export function cleanError(told: JsonObject, channel: Channel): boolean {
  const hosts = hostsOf(channel.baseUrl ?? '')
  let isChanged = false
  for (const place of [asObject(told.error), ...asArray(told.errors).map(asObject), told]) {
    const said = asText(place?.message)
    if (!place || !said) continue
    const clean = scrub(said, channel, hosts)
    if (clean === said) continue
    place.message = clean
    isChanged = true
  }
  return isChanged
}
