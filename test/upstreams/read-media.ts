import type { Image } from './reply.ts'

export function readDataUrl(url: string): Image {
  const found = /^data:([^;,]+);base64,/.exec(url)
  if (found === null) return { url }
  return { mediaType: found[1] ?? '', bytes: countBytes(url.slice(found[0].length)) }
}

export function countBytes(base64: string): number {
  return Buffer.from(base64, 'base64').length
}
