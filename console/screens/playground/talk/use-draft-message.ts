import { useState } from 'react'
import { useText } from '../../../text.ts'
import { type Fault, faultOf, type Kind, kindOf, limits, readPdf, readPicture } from '../ask/attachments.ts'
import { readTextFile } from '../ask/text-files.ts'
import { playgroundText } from '../models/catalogue.ts'
import type { Picture, TextFile } from './conversation.ts'
import { type Attached, nothing, useUnsentMessage } from './unsent-message.ts'

const faultTexts = {
  type: 'picture.type',
  size: 'picture.size',
  count: 'picture.count',
  unreadable: 'picture.unreadable',
} as const satisfies Record<Fault, string>

const lists = { picture: 'pictures', pdf: 'pdfs', text: 'files' } as const satisfies Record<
  Kind,
  keyof Attached
>

export interface DraftMessage extends Attached {
  readonly text: string
  readonly isEmpty: boolean
  /** Why a file was not taken; blank when all were. */
  readonly fault: string
  setText(text: string): void
  addFiles(files: readonly File[]): void
  remove(one: Picture | TextFile): void
  clear(): void
}

/** What is being written, with what is attached to it. */
export function useDraftMessage(): DraftMessage {
  const t = useText(playgroundText)
  const { text, setText, attached, setAttached } = useUnsentMessage()
  const [fault, setFault] = useState('')

  const addFiles = async (given: readonly File[]) => {
    setFault('')
    const faults: string[] = []
    const taken = { pictures: [] as Picture[], pdfs: [] as Picture[], files: [] as TextFile[] }
    for (const file of given) {
      const kind = kindOf(file)
      const already = kind ? attached[lists[kind]].length + taken[lists[kind]].length : 0
      const explain = (why: Fault) => {
        const most = kind && limits[kind][why === 'count' ? 'count' : 'size']
        faults.push(t(faultTexts[why], { name: file.name, most: most ?? 0 }))
      }
      const why = faultOf(file.size, kind, already)
      if (why) explain(why)
      else await read(file, kind, taken).catch(() => explain('unreadable'))
    }
    const names = new Set(taken.files.map(({ name }) => name))
    setAttached(before => ({
      pictures: [...before.pictures, ...taken.pictures].slice(0, limits.picture.count),
      pdfs: [...before.pdfs, ...taken.pdfs].slice(0, limits.pdf.count),
      // One of the same name is the same file, read again.
      files: [...before.files.filter(({ name }) => !names.has(name)), ...taken.files].slice(
        0,
        limits.text.count,
      ),
    }))
    setFault(faults.join(' '))
  }
  return {
    text,
    ...attached,
    isEmpty: text.trim() === '' && Object.values(attached).every(({ length }) => length === 0),
    fault,
    setText,
    addFiles: given => {
      addFiles(given).catch(() => {})
    },
    remove: unwanted => {
      setFault('')
      setAttached(before => ({
        pictures: before.pictures.filter(one => one !== unwanted),
        pdfs: before.pdfs.filter(one => one !== unwanted),
        files: before.files.filter(one => one !== unwanted),
      }))
    },
    clear() {
      setText('')
      setAttached(nothing)
      setFault('')
    },
  }
}

async function read(
  file: File,
  kind: Kind | undefined,
  taken: { pictures: Picture[]; pdfs: Picture[]; files: TextFile[] },
): Promise<void> {
  if (kind === 'text') taken.files.push(await readTextFile(file))
  else if (kind === 'pdf') taken.pdfs.push(await readPdf(file))
  else taken.pictures.push(await readPicture(file))
}
