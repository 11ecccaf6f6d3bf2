import { replaceChanged } from '../talk/replace-changed.ts'
import { CodeFigure, type CodeWords } from './code-figure.ts'
import { drawToken, isDrawable } from './draw-tokens.ts'
import styles from './markdown.module.css'
import { renderBlock } from './render-block.ts'
import { type Block, noBlocks, splitBlocks } from './split-blocks.ts'

/** So many blocks are laid out together: what has gone before costs a long answer nothing. */
const TOGETHER = 12

interface Drawn {
  readonly element: Element
  readonly code?: CodeFigure
  block: Block
  definitions: string
}

/**
 * An answer as it grows. Of all its blocks only the last is drawn again, and without React: thirty times a second, the
 * way from the root of the page to this place would cost more than the change.
 */
export class MarkdownDrawing {
  readonly #host: Element
  readonly #t: CodeWords
  #blocks = noBlocks
  #isWhole = false
  #drawn: Drawn[] = []

  constructor(host: Element, t: CodeWords) {
    this.#host = host
    this.#t = t
  }

  /** One that grows is cut where it was cut before; once it is all there, it is cut as a whole. */
  show(text: string, grows: boolean): void {
    if (!grows && this.#isWhole && text === this.#blocks.text) return
    this.#isWhole = !grows
    this.#blocks = splitBlocks(text, grows ? this.#blocks : noBlocks)
    const { blocks, definitions } = this.#blocks
    const links = definitions.map(({ source }) => source).join('\n')
    for (const [at, block] of blocks.entries()) this.#showBlock(at, block, links)
    this.#dropFrom(blocks.length)
  }

  close(): void {
    this.#dropFrom(0)
    this.#blocks = noBlocks
  }

  #showBlock(at: number, block: Block, links: string): void {
    const definitions = block.source.includes('[') ? links : ''
    const old = this.#drawn[at]
    if (old?.block === block && old.definitions === definitions) return
    const isNew = !old || Boolean(old.code) !== Boolean(block.code)
    if (isNew) this.#dropFrom(at)
    const drawn = isNew ? this.#begin(block, definitions) : old
    const isChanged = isNew || drawn.block.source !== block.source || drawn.definitions !== definitions
    if (isChanged) draw(drawn, block, definitions)
    drawn.block = block
    drawn.definitions = definitions
    // Drawn first: the page hears of it once.
    if (isNew) {
      this.#drawn.push(drawn)
      this.#groupOf(at).append(drawn.element)
    }
  }

  #begin(block: Block, definitions: string): Drawn {
    if (block.code) {
      const code = new CodeFigure(this.#t)
      return { element: code.element, code, block, definitions }
    }
    const element = document.createElement('div')
    element.className = styles.block ?? ''
    return { element, block, definitions }
  }

  #groupOf(at: number): Element {
    const group = this.#host.children[Math.floor(at / TOGETHER)]
    if (group) return group
    const made = document.createElement('div')
    made.className = styles.group ?? ''
    this.#host.append(made)
    return made
  }

  #dropFrom(at: number): void {
    for (const { element, code } of this.#drawn.splice(at)) {
      if (code) code.close()
      else element.remove()
    }
    while (this.#host.lastElementChild?.childElementCount === 0) this.#host.lastElementChild.remove()
  }
}

function draw({ element, code }: Drawn, block: Block, definitions: string): void {
  if (code && block.code) code.show(block.code)
  else if (definitions === '' && isDrawable(block.token)) drawToken(element, block.token)
  else replaceChanged(element, renderBlock(block.source, definitions))
}
