import type { Credential } from '../../define.ts'

export function bearer(): Credential {
  return key => ({ authorization: `Bearer ${key}` })
}

/** The bare key in a header of the vendor's own. */
export function headerKey(name: string): Credential {
  return key => ({ [name]: key })
}
