import { findKey } from '../relay/callers/find-key.ts'

/** What there is of OpenAI's API, without what stands before it. */
const ofOpenai =
  '(?:chat/completions|(?:completions|embeddings|moderations|rerank|ocr|edits|realtime)$|images/|audio/|(?:responses|files|batches|videos|conversations|containers|search)(?:/|$))'
/** As clients of LiteLLM call, whose documentation gives them an address with nothing behind its port. */
const bare = new RegExp(`^/(?:${ofOpenai}|models(?:/|$)|model/info$)`)
/** As Google has it. Its list of models is found where it stands. */
const atGoogle = new RegExp(`^/v1beta/openai(?=/${ofOpenai})`)
/** LiteLLM's ways to a vendor's own API. */
const byVendor = /^\/(?:anthropic(?=\/v1\/)|gemini(?=\/v1(?:beta)?\/))/

/**
 * The address by which everything here knows a call. What is read below the root is one only with a key: nothing
 * else tells it from a page of the console.
 */
export function usualPath(request: Request, path: string): string {
  if (path.startsWith('/v1/') || path.startsWith('/api/')) return path
  if (path.startsWith('/v1beta/')) return path.replace(atGoogle, '/v1')
  if (byVendor.test(path)) return path.replace(byVendor, '')
  return bare.test(path) && isCall(request) ? `/v1${path}` : path
}

function isCall(request: Request): boolean {
  return (request.method !== 'GET' && request.method !== 'HEAD') || findKey(request) !== undefined
}
