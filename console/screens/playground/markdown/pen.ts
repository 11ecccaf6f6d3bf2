type Attributes = Readonly<Record<string, string>>

/** Writes the children of an element, from the first to the last. Those that are there already and fit stay. */
export class Pen {
  readonly #host: Element
  #next: ChildNode | null
  #text = ''

  constructor(host: Element) {
    this.#host = host
    this.#next = host.firstChild
  }

  /** Pieces that follow each other become one text. */
  write(text: string): void {
    this.#text += text
  }

  element(tag: string, fill?: (inside: Pen) => void, attributes?: Attributes): void {
    this.#writeText()
    const old = this.#next
    const fits = old instanceof Element && old.localName === tag && hasExactly(old, attributes)
    const element = fits ? old : make(tag, namespaceOf(tag, this.#host), attributes)
    if (fill) {
      const inside = new Pen(element)
      fill(inside)
      inside.end()
    }
    // Filled first: the page hears of a new element once.
    if (fits) this.#next = old.nextSibling
    else this.#host.insertBefore(element, old)
  }

  /** What was not written again goes. */
  end(): void {
    this.#writeText()
    while (this.#next) {
      const gone = this.#next
      this.#next = gone.nextSibling
      gone.remove()
    }
  }

  #writeText(): void {
    if (this.#text === '') return
    const old = this.#next
    if (old instanceof Text) {
      setText(old, this.#text)
      this.#next = old.nextSibling
    } else this.#host.insertBefore(document.createTextNode(this.#text), old)
    this.#text = ''
  }
}

const HTML = 'http://www.w3.org/1999/xhtml'
const MATH = 'http://www.w3.org/1998/Math/MathML'

function namespaceOf(tag: string, host: Element): string {
  return tag === 'math' || host.namespaceURI === MATH ? MATH : HTML
}

function make(tag: string, namespace: string, attributes: Attributes = {}): Element {
  const element = document.createElementNS(namespace, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

function hasExactly(element: Element, attributes: Attributes | undefined): boolean {
  if (!attributes) return !element.hasAttributes()
  const entries = Object.entries(attributes)
  return (
    element.attributes.length === entries.length &&
    entries.every(([name, value]) => element.getAttribute(name) === value)
  )
}

/** What only grows is added to. */
export function setText(node: Text, text: string): void {
  if (text === node.data) return
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length))
  else node.data = text
}
