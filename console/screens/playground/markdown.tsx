import { memo, useLayoutEffect, useMemo, useRef } from 'react'
import { CodeBlock } from './code-block.tsx'
import styles from './markdown.module.css'
import { renderBlock } from './render-block.ts'
import { replaceChanged } from './replace-changed.ts'
import { type Block, type Blocks, noBlocks, splitBlocks } from './split-blocks.ts'

/** So many blocks are drawn and laid out together: what has gone before costs a long answer nothing. */
const TOGETHER = 12

/** An answer as it grows: of all its blocks only the last is drawn again. */
export default function Markdown({ text }: { text: string }) {
  const before = useRef<Blocks>(noBlocks)
  const { blocks, definitions } = useMemo(() => {
    before.current = splitBlocks(text, before.current)
    return before.current
  }, [text])
  const links = definitions.map(({ source }) => source).join('\n')
  const groups = Array.from({ length: Math.ceil(blocks.length / TOGETHER) }, (_, at) =>
    blocks.slice(at * TOGETHER, (at + 1) * TOGETHER),
  )
  return (
    <div className={styles.markdown}>
      {groups.map(group => (
        <Group key={group[0]?.start} blocks={group} links={links} />
      ))}
    </div>
  )
}

interface GroupProps {
  blocks: readonly Block[]
  links: string
}

const Group = memo(
  function Group({ blocks, links }: GroupProps) {
    return (
      <div className={styles.group}>
        {blocks.map(({ start, source, code }) =>
          code ? (
            <CodeBlock key={start} language={code.language} text={code.text} open={code.open} />
          ) : (
            <TextBlock key={start} source={source} definitions={source.includes('[') ? links : ''} />
          ),
        )}
      </div>
    )
  },
  (before, after) =>
    before.links === after.links &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, at) => block === after.blocks[at]),
)

const TextBlock = memo(function TextBlock({ source, definitions }: { source: string; definitions: string }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (host.current) replaceChanged(host.current, renderBlock(source, definitions))
  }, [source, definitions])
  return <div ref={host} className={styles.block} />
})
