import type { Picture } from '../talk/conversation.ts'
import { isTextFile } from './text-files.ts'

const MIB = 1024 * 1024
const pictureTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export type Kind = 'picture' | 'pdf' | 'text'
export type Fault = 'type' | 'size' | 'count' | 'unreadable'

/** How large one may be, in MiB, and how many go with a question: together what a call may be. */
export const limits: Readonly<Record<Kind, { readonly size: number; readonly count: number }>> = {
  picture: { size: 5, count: 8 },
  pdf: { size: 10, count: 4 },
  text: { size: 0.5, count: 8 },
}

/** Undefined for what no model is sent. */
export function kindOf(file: Pick<File, 'name' | 'type'>): Kind | undefined {
  if (pictureTypes.includes(file.type)) return 'picture'
  if (file.type === 'application/pdf' || /\.pdf$/i.test(file.name)) return 'pdf'
  return isTextFile(file) ? 'text' : undefined
}

/** Why a file cannot be sent; undefined when it can. */
export function faultOf(size: number, kind: Kind | undefined, already: number): Fault | undefined {
  if (kind === undefined) return 'type'
  if (size > limits[kind].size * MIB) return 'size'
  return already >= limits[kind].count ? 'count' : undefined
}

export function readPicture(file: File): Promise<Picture> {
  return readAsUrl(file.name || 'image', file)
}

/** Throws where it is none after all. What browsers say of its type is sometimes nothing. */
export async function readPdf(file: File): Promise<Picture> {
  // Readers take one for a PDF that says so anywhere in its first kilobyte.
  const beginning = await file.slice(0, 1024).text()
  if (!beginning.includes('%PDF-')) throw new Error('not a PDF')
  return readAsUrl(file.name, new Blob([file], { type: 'application/pdf' }))
}

function readAsUrl(name: string, bytes: Blob): Promise<Picture> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve({ name, url: String(reader.result) })
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(bytes)
  })
}
