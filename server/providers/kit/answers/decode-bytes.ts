/** In every runtime's Buffer, and in nobody's types. `toString` and `write` have to look for these first. */
interface Slices {
  latin1Slice(this: Uint8Array, start: number, end: number): string
  utf8Slice(start: number, end: number): string
  base64Write(text: string, offset: number, length: number): number
}

/** Most of what is read is short: room that is used again costs less than a view or a buffer for each. */
const room = Buffer.allocUnsafeSlow(64 * 1024) as Buffer & Slices

/** A character for a byte. Borrowed: to make a Buffer of the bytes first costs more. */
export function decodeLatin1(bytes: Uint8Array): string {
  return room.latin1Slice.call(bytes, 0, bytes.length)
}

/** The text that base64 stands for. */
export function decodeBase64(base64: string): string {
  if (base64.length > room.length) return Buffer.from(base64, 'base64').toString('utf8')
  return room.utf8Slice(0, room.base64Write(base64, 0, room.length))
}
