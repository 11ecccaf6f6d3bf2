import { AppError } from '../errors.ts'
import { JoinedBytes } from '../relay/request/joined-bytes.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'

/** A body as JSON, never more of it in memory than the limit allows. An empty one is undefined. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const text = await readText(request, limit)
  if (text.trim() === '') return undefined
  // No text of ours holds a NUL, and not every database takes one.
  if (text.includes('\\u0000')) throw new AppError('request.invalid')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('request.invalid', {}, error)
  }
}

/** The fields of a form, those in the address first. Nothing is merged: a name that comes twice is there twice. */
export async function readForm(request: Request, search: string, limit: number): Promise<[string, string][]> {
  return [...new URLSearchParams(search), ...new URLSearchParams(await readText(request, limit))]
}

export async function readText(request: Request, limit: number): Promise<string> {
  if (limit === 0 || !request.body) return ''
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limit) throw new AppError('request.too-large', { limit })
  const reader = request.body.getReader()
  const bytes = new JoinedBytes()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ClientGone()
    })
    if (done) break
    bytes.add(value)
    if (bytes.length > limit) {
      reader.cancel().catch(() => {})
      throw new AppError('request.too-large', { limit })
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.whole())
  } catch (error) {
    throw new AppError('request.invalid', {}, error)
  }
}
