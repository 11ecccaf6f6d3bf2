import { refuseFeature } from '../../dialects/refuse.ts'

/** What is joined in a key: `Ak|Sk|Region`, with a session token as a fourth part, or `ApiKey|Region`. */
export type AwsKey =
  | {
      readonly kind: 'pair'
      readonly accessKey: string
      readonly secretKey: string
      readonly region: string
      readonly sessionToken: string | undefined
    }
  | { readonly kind: 'bearer'; readonly apiKey: string; readonly region: string }

export function readKey(key: string): AwsKey {
  const [first = '', second = '', third = '', fourth] = key.split('|').map(part => part.trim())
  if (third === '') return { kind: 'bearer', apiKey: first, region: checkRegion(second) }
  return {
    kind: 'pair',
    accessKey: first,
    secretKey: second,
    region: checkRegion(third),
    sessionToken: fourth || undefined,
  }
}

/** It becomes part of a host name. A channel without one leaves the request to others. */
function checkRegion(region: string): string {
  if (!/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(region)) refuseFeature('feature.region')
  return region
}
