// A growing answer changes at its end. Nodes that stay are not styled and laid out again.

import { setText } from '../markdown/pen.ts'

/** Makes `host` show what `next` holds, and leaves alone what is the same. */
export function replaceChanged(host: Node, next: Node): void {
  let old = host.firstChild
  let fresh = next.firstChild
  while (old && fresh && old.isEqualNode(fresh)) {
    old = old.nextSibling
    fresh = fresh.nextSibling
  }
  if (old && fresh && become(old, fresh)) {
    old = old.nextSibling
    fresh = fresh.nextSibling
  }
  while (old) {
    const gone = old
    old = old.nextSibling
    gone.remove()
  }
  while (fresh) {
    const added = fresh
    fresh = fresh.nextSibling
    host.appendChild(added)
  }
}

/** False when the one cannot be turned into the other. */
function become(old: ChildNode, fresh: ChildNode): boolean {
  if (old instanceof Text && fresh instanceof Text) {
    setText(old, fresh.data)
    return true
  }
  if (!old.cloneNode(false).isEqualNode(fresh.cloneNode(false))) return false
  replaceChanged(old, fresh)
  return true
}
