import { asArray, asObject, asText, type JsonObject } from '../json.ts'

// What is longer than one answer may be goes on by a token, which only the account knows that gave it.

/** The tokens of an answer, by names that are short whatever they are. */
export function continuationsIn(body: JsonObject): readonly string[] {
  return asArray(body.candidates).flatMap(item => nameIn(asObject(item) ?? {}))
}

/** The token by which a request goes on, by the same name. */
export function continuationOf(request: JsonObject): readonly string[] {
  return nameIn(request)
}

function nameIn({ continuationToken, continuation_token }: JsonObject): string[] {
  const token = asText(continuationToken ?? continuation_token)
  if (!token) return []
  return [`continuation ${new Bun.CryptoHasher('sha256').update(token).digest('base64url')}`]
}
