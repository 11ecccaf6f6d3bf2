import createPurifier from 'dompurify'
import { Marked } from 'marked'

const purifier = createPurifier(window)
const marked = new Marked({
  gfm: true,
  breaks: true,
  // Fields are refused below, whoever wrote them.
  renderer: { checkbox: ({ checked }) => `<span data-task>${checked ? '☑' : '☐'}</span>` },
})

purifier.addHook('afterSanitizeAttributes', element => {
  if (element instanceof HTMLAnchorElement && element.origin !== location.origin) {
    element.target = '_blank'
    element.rel = 'noopener noreferrer'
  }
})

/** Nodes that cannot run script, whatever the source says. */
export function renderSafely(source: string, format: 'markdown' | 'html'): DocumentFragment {
  const html = format === 'html' ? source : marked.parse(source, { async: false })
  const fragment = purifier.sanitize(setStylesAside(html), {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'option', 'dialog'],
    FORBID_ATTR: ['style', 'id', 'name', 'autofocus', 'tabindex', 'popover', 'popovertarget'],
  })
  for (const element of fragment.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    element.removeAttribute('data-style')
  }
  return fragment
}

/**
 * The content security policy refuses style attributes, even while text is parsed, but allows the same styles
 * through the style object. So they are renamed before and put back after. Safety does not depend on it.
 */
function setStylesAside(html: string): string {
  return html.replace(/<[a-z][^<>]*>/gi, tag => tag.replace(/([\s"'/])style(\s*=)/gi, '$1data-style$2'))
}
