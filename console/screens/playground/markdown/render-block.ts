import createPurifier from 'dompurify'
import { newMarked } from '../math/math-tokens.ts'
import { isPlain } from './is-plain.ts'

const purifier = createPurifier(window)

// Once: read anew for every block, the rules would cost more than the block.
purifier.setConfig({
  IN_PLACE: true,
  USE_PROFILES: { html: true, mathMl: true },
  FORBID_TAGS: ['style', 'form', 'button', 'textarea', 'select', 'option', 'dialog', 'iframe'],
  FORBID_ATTR: ['style', 'id', 'name', 'autofocus', 'tabindex', 'popover', 'popovertarget'],
})

purifier.addHook('afterSanitizeAttributes', element => {
  if (element instanceof HTMLAnchorElement) leadOut(element)
  if (element instanceof HTMLImageElement) {
    element.referrerPolicy = 'no-referrer'
    element.loading = 'lazy'
  }
})

/** Tags without attributes that models write where Markdown has no sign of its own. */
const plainTag = /^<\/?(br|sub|sup|kbd|u|mark|details|summary)\s*\/?>$/i

/** Other HTML in an answer is something that is talked about, and shown as it is written. */
const markdown = newMarked().use({
  renderer: {
    html({ text }) {
      return plainTag.test(text.trim()) ? text : escapeHtml(text)
    },
  },
})

/** Nodes that cannot run script. `definitions` are the link definitions of the whole answer. */
export function renderBlock(source: string, definitions: string): DocumentFragment {
  const whole = definitions !== '' && source.includes('[') ? `${source}\n\n${definitions}` : source
  return purify(markdown.parse(whole, { async: false }))
}

function leadOut(link: HTMLAnchorElement): void {
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

/** Belongs to no window: what is parsed here runs and loads nothing. */
const inert = document.implementation.createHTMLDocument('')

export function purify(html: string): DocumentFragment {
  const { content } = Object.assign(inert.createElement('template'), { innerHTML: html })
  if (isPlain(html)) for (const link of content.querySelectorAll('a')) leadOut(link)
  else purifyAll(content)
  return content
}

function purifyAll(content: DocumentFragment): void {
  const host = inert.createElement('div')
  host.append(content)
  purifier.sanitize(host)
  content.append(...host.childNodes)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
}
