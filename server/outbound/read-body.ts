import { AppError } from '../errors.ts'
import { asOutboundError } from './describe-failure.ts'
import { limitBody } from './limit-body.ts'

/** Reads a small answer whole; past `maxBytes` it is refused and the connection closed. */
export async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  for await (const chunk of limitBody(response.body, { maxBytes })) chunks.push(chunk)
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** One that says its length, and is not too long, the runtime reads without a detour through chunks. */
export function readText(response: Response, maxBytes: number): Promise<string> {
  const announced = response.headers.get('content-length')
  if (announced !== null && Number(announced) <= maxBytes) return response.text().catch(failed)
  return readBytes(response, maxBytes).then(bytes => new TextDecoder().decode(bytes))
}

function failed(error: unknown): never {
  throw asOutboundError(error)
}

export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const text = await readText(response, maxBytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('outbound.failed', {}, error)
  }
}
