import { useRef } from 'react'
import type { Answer } from '../talk/conversation.ts'
import { useGrowth } from '../talk/conversation-store.ts'
import { Pen } from './pen.ts'

interface GrowingTextProps {
  answer: Answer
  part: 'text' | 'reasoning'
  className: string | undefined
}

/** Words of an answer as they come, without a drawing of the page for each. */
export function GrowingText({ answer, part, className }: GrowingTextProps) {
  const host = useRef<HTMLParagraphElement>(null)
  useGrowth(answer, latest => {
    if (!host.current) return
    const pen = new Pen(host.current)
    pen.write(latest[part])
    pen.end()
  })
  return <p ref={host} className={className} />
}
