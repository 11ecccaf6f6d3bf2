import type { Translate } from '../../../text.ts'
import { copyText } from '../../../ui/content/copy.ts'
import { colourCode } from './colour-code.ts'
import styles from './markdown.module.css'
import { Pen } from './pen.ts'
import type { Code } from './split-blocks.ts'

export type CodeWords = Translate<'code.plain' | 'code.copyBlock'>

/** How long a button says that it has copied. Milliseconds. */
const SAID = 1500

/** Code of an answer, below its language and a button that copies it. */
export class CodeFigure {
  readonly element = document.createElement('figure')
  readonly #code = document.createElement('code')
  readonly #caption = document.createElement('span')
  readonly #t: CodeWords
  #uncolour = () => {}

  constructor(t: CodeWords) {
    this.#t = t
    const caption = document.createElement('figcaption')
    caption.className = styles.caption ?? ''
    caption.append(this.#caption, this.#makeButton())
    const pre = document.createElement('pre')
    // What scrolls must be reachable by keyboard.
    pre.tabIndex = 0
    pre.append(this.#code)
    this.element.className = styles.code ?? ''
    this.element.append(caption, pre)
  }

  show({ language, text, open }: Code): void {
    this.#uncolour()
    const name = language || this.#t('code.plain')
    if (this.#caption.textContent !== name) this.#caption.textContent = name
    const pen = new Pen(this.#code)
    pen.write(text)
    pen.end()
    // Colours wait until its end has come.
    if (!open && language !== '') this.#uncolour = colourCode(this.#code, text, language)
  }

  close(): void {
    this.#uncolour()
    this.element.remove()
  }

  #makeButton(): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = styles.copy ?? ''
    button.ariaLabel = this.#t('code.copyBlock')
    button.addEventListener('click', () => {
      copyText(this.#code.textContent ?? '').then(
        isCopied => {
          if (!isCopied) return
          button.dataset.copied = 'true'
          setTimeout(() => delete button.dataset.copied, SAID)
        },
        () => {},
      )
    })
    return button
  }
}
