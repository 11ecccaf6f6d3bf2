import { AppError } from '../errors.ts'

/** A body as JSON, never more of it in memory than the limit allows. An empty one is undefined. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  if (limit === 0 || !request.body) return undefined
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limit) throw new AppError('request.too-large', { limit })
  const text = await readText(request.body, limit)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('request.invalid', {}, error)
  }
}

async function readText(body: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > limit) {
      reader.cancel().catch(() => {})
      throw new AppError('request.too-large', { limit })
    }
    chunks.push(value)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    throw new AppError('request.invalid', {}, error)
  }
}
