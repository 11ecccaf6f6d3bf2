import { useLayoutEffect, useRef } from 'react'
import { useText } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'
import { type Answer, isRunning } from '../talk/conversation.ts'
import { useGrowth } from '../talk/conversation-store.ts'
import styles from './markdown.module.css'
import { MarkdownDrawing } from './markdown-drawing.ts'

export default function Markdown({ answer }: { answer: Answer }) {
  const t = useText(playgroundText)
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<MarkdownDrawing>(null)
  useLayoutEffect(() => {
    if (!host.current) return
    const made = new MarkdownDrawing(host.current, t)
    drawing.current = made
    return () => made.close()
  }, [t])
  useGrowth(answer, latest => drawing.current?.show(latest.text, isRunning(latest)))
  return <div ref={host} className={styles.markdown} />
}
