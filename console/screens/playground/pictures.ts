import type { Picture } from './conversation.ts'

const MIB = 1024 * 1024
export const LARGEST_PICTURE_MIB = 5
export const MOST_PICTURES = 8
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

export type PictureFault = 'type' | 'size' | 'count' | 'unreadable'

/** Why a file cannot be sent; undefined when it can. A text is known as one already, and has its own limit. */
export function faultOf(
  file: Pick<File, 'type' | 'size'>,
  already: number,
  largestText?: number,
): PictureFault | undefined {
  if (largestText === undefined && !pictureTypes.some(type => type === file.type)) return 'type'
  if (file.size > (largestText ?? LARGEST_PICTURE_MIB) * MIB) return 'size'
  return already >= MOST_PICTURES ? 'count' : undefined
}

export function readPicture(file: File): Promise<Picture> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve({ name: file.name || 'image', url: String(reader.result) })
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })
}
