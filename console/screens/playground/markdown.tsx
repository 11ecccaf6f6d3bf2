import { memo, useLayoutEffect, useMemo, useRef } from 'react'
import { CodeBlock } from './code-block.tsx'
import styles from './markdown.module.css'
import { renderBlock } from './render-block.ts'
import { replaceChanged } from './replace-changed.ts'
import { type Blocks, noBlocks, splitBlocks } from './split-blocks.ts'

/** An answer as it grows: of all its blocks only the last is drawn again. */
export default function Markdown({ text }: { text: string }) {
  const before = useRef<Blocks>(noBlocks)
  const { blocks, definitions } = useMemo(() => {
    before.current = splitBlocks(text, before.current)
    return before.current
  }, [text])
  const links = definitions.map(({ source }) => source).join('\n')
  return (
    <div className={styles.markdown}>
      {blocks.map(({ start, source, code }) =>
        code ? (
          <CodeBlock key={start} language={code.language} text={code.text} open={code.open} />
        ) : (
          <TextBlock key={start} source={source} definitions={source.includes('[') ? links : ''} />
        ),
      )}
    </div>
  )
}

const TextBlock = memo(function TextBlock({ source, definitions }: { source: string; definitions: string }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (host.current) replaceChanged(host.current, renderBlock(source, definitions))
  }, [source, definitions])
  return <div ref={host} className={styles.block} />
})
