import { useState } from 'react'
import { useText } from '../../text.ts'
import { playgroundText } from './catalogue.ts'
import type { Picture } from './conversation.ts'
import { faultOf, LARGEST_PICTURE_MIB, MOST_PICTURES, type PictureFault, readPicture } from './pictures.ts'

const faultTexts = {
  type: 'picture.type',
  size: 'picture.size',
  count: 'picture.count',
  unreadable: 'picture.unreadable',
} as const satisfies Record<PictureFault, string>

export interface DraftMessage {
  readonly text: string
  readonly pictures: readonly Picture[]
  readonly isEmpty: boolean
  /** Why a picture was not taken; blank when all were. */
  readonly fault: string
  setText(text: string): void
  addFiles(files: readonly File[]): void
  removePicture(picture: Picture): void
  clear(): void
}

/** What is being written, with its pictures. */
export function useDraftMessage(): DraftMessage {
  const t = useText(playgroundText)
  const [text, setText] = useState('')
  const [pictures, setPictures] = useState<readonly Picture[]>([])
  const [fault, setFault] = useState('')
  const explain = (kind: PictureFault, name: string) =>
    t(faultTexts[kind], { name, most: kind === 'count' ? MOST_PICTURES : LARGEST_PICTURE_MIB })

  const addFiles = async (files: readonly File[]) => {
    setFault('')
    const faults: string[] = []
    const taken: Picture[] = []
    for (const file of files) {
      const kind = faultOf(file, pictures.length + taken.length)
      if (kind) faults.push(explain(kind, file.name))
      else
        await readPicture(file).then(
          one => taken.push(one),
          () => faults.push(explain('unreadable', file.name)),
        )
    }
    setPictures(before => [...before, ...taken].slice(0, MOST_PICTURES))
    setFault(faults.join(' '))
  }
  return {
    text,
    pictures,
    isEmpty: text.trim() === '' && pictures.length === 0,
    fault,
    setText,
    addFiles: files => {
      addFiles(files).catch(() => {})
    },
    removePicture: picture => {
      setFault('')
      setPictures(before => before.filter(one => one !== picture))
    },
    clear() {
      setText('')
      setPictures([])
      setFault('')
    },
  }
}
