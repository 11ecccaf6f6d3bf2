import { asText, parseObject } from '../../dialects/json.ts'

export interface ServiceAccount {
  readonly email: string
  /** PEM. */
  readonly privateKey: string
  readonly keyId: string | undefined
  readonly project: string
  readonly tokenUrl: string
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** Undefined when the key is none, but an API key. */
export function readServiceAccount(key: string): ServiceAccount | undefined {
  if (!key.trimStart().startsWith('{')) return undefined
  const json = parseObject(key) ?? {}
  return {
    email: asText(json.client_email) ?? '',
    // Pasted from a variable of the environment, its line ends are two characters.
    privateKey: (asText(json.private_key) ?? '').replaceAll('\\n', '\n'),
    keyId: asText(json.private_key_id) || undefined,
    project: asText(json.project_id) ?? '',
    tokenUrl: asText(json.token_uri) || TOKEN_URL,
  }
}
