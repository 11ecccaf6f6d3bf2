import type { JsonObject } from '../../server/dialects/json.ts'

/** What a token is said to have been likely, the same every time. */
export function logprobOf(token: string): number {
  return -token.length / 8
}

/** In OpenAI's words; the others in the place of a token are it with a number behind. */
export function tellLogprobs(tokens: readonly string[], others: number): JsonObject[] {
  const tell = (token: string): JsonObject => ({
    token,
    logprob: logprobOf(token),
    bytes: [...Buffer.from(token)],
  })
  return tokens.map(token => ({
    ...tell(token),
    top_logprobs: Array.from({ length: others }, (_, at) => tell(at === 0 ? token : `${token}${at}`)),
  }))
}
