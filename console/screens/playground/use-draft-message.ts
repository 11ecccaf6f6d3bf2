import { useState } from 'react'
import { useText } from '../../text.ts'
import { playgroundText } from './catalogue.ts'
import type { Picture, TextFile } from './conversation.ts'
import { faultOf, LARGEST_PICTURE_MIB, MOST_PICTURES, type PictureFault, readPicture } from './pictures.ts'
import { isTextFile, LARGEST_TEXT_MIB, MOST_FILES, readTextFile } from './text-files.ts'

const faultTexts = {
  type: 'picture.type',
  size: 'picture.size',
  count: 'picture.count',
  unreadable: 'picture.unreadable',
} as const satisfies Record<PictureFault, string>

export interface DraftMessage {
  readonly text: string
  readonly pictures: readonly Picture[]
  readonly files: readonly TextFile[]
  readonly isEmpty: boolean
  /** Why a file was not taken; blank when all were. */
  readonly fault: string
  setText(text: string): void
  addFiles(files: readonly File[]): void
  remove(one: Picture | TextFile): void
  clear(): void
}

/** What is being written, with its pictures and files. */
export function useDraftMessage(): DraftMessage {
  const t = useText(playgroundText)
  const [text, setText] = useState('')
  const [pictures, setPictures] = useState<readonly Picture[]>([])
  const [files, setFiles] = useState<readonly TextFile[]>([])
  const [fault, setFault] = useState('')
  const explain = (kind: PictureFault, name: string, most: number) =>
    t(faultTexts[kind], { name, most: kind === 'count' ? MOST_PICTURES : most })

  const addFiles = async (given: readonly File[]) => {
    setFault('')
    const faults: string[] = []
    const taken: Picture[] = []
    const texts: TextFile[] = []
    for (const file of given) {
      const isText = isTextFile(file)
      const most = isText ? LARGEST_TEXT_MIB : LARGEST_PICTURE_MIB
      const already = isText ? files.length + texts.length : pictures.length + taken.length
      const kind = faultOf(file, already, isText ? most : undefined)
      const read = async () => {
        if (isText) texts.push(await readTextFile(file))
        else taken.push(await readPicture(file))
      }
      if (kind) faults.push(explain(kind, file.name, most))
      else await read().catch(() => faults.push(explain('unreadable', file.name, most)))
    }
    setPictures(before => [...before, ...taken].slice(0, MOST_PICTURES))
    const names = new Set(texts.map(({ name }) => name))
    // One of the same name is the same file, read again.
    setFiles(before => [...before.filter(({ name }) => !names.has(name)), ...texts].slice(0, MOST_FILES))
    setFault(faults.join(' '))
  }
  return {
    text,
    pictures,
    files,
    isEmpty: text.trim() === '' && pictures.length === 0 && files.length === 0,
    fault,
    setText,
    addFiles: given => {
      addFiles(given).catch(() => {})
    },
    remove: unwanted => {
      setFault('')
      setPictures(before => before.filter(one => one !== unwanted))
      setFiles(before => before.filter(one => one !== unwanted))
    },
    clear() {
      setText('')
      setPictures([])
      setFiles([])
      setFault('')
    },
  }
}
