// Loads the editor: use it through `JsonEditor`.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import styles from './json-editor.module.css'
import { jsonEditorTheme } from './json-editor-theme.ts'
import { jsonErrorOffset } from './json-error-position.ts'

interface JsonEditorViewProps {
  name: string | undefined
  labelledBy: string
  describedBy: string
  invalid: boolean
  disabled: boolean
  value: string
  onChange(text: string): void
}

const LINT_AFTER_MS = 150

const classes: Readonly<Record<string, string | undefined>> = {
  string: styles.string,
  number: styles.number,
  bool: styles.word,
  null: styles.word,
  separator: styles.mark,
  brace: styles.mark,
  squareBracket: styles.mark,
}

export default function JsonEditorView(props: JsonEditorViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(undefined)
  const attributes = useRef(new Compartment())
  const latest = useRef(props)
  latest.current = props
  const { value, name, labelledBy, describedBy, invalid, disabled } = props

  useEffect(() => {
    if (!place.current) return
    const view = new EditorView({
      parent: place.current,
      doc: latest.current.value,
      extensions: [
        ...extensions(),
        attributes.current.of([]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          const text = state.doc.toString()
          if (docChanged && text !== latest.current.value) latest.current.onChange(text)
        }),
      ],
    })
    editor.current = view
    return () => view.destroy()
  }, [])

  useEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const named = {
      'aria-labelledby': labelledBy,
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    }
    // Named focusable, so that what scrolls is known to be within reach of the keyboard.
    const state = { tabindex: '0', 'aria-invalid': String(invalid), ...(name ? { 'data-name': name } : {}) }
    editor.current?.dispatch({
      effects: attributes.current.reconfigure([
        EditorView.contentAttributes.of({ ...named, ...state }),
        EditorView.editable.of(!disabled),
        EditorState.readOnly.of(disabled),
      ]),
    })
  }, [name, labelledBy, describedBy, invalid, disabled])

  return <div ref={place} />
}

function extensions(): Extension[] {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    history(),
    bracketMatching(),
    json(),
    syntaxHighlighting({ style: tags => classes[String(tags[0])] ?? null }),
    linter(view => findFault(view.state.doc.toString()), { delay: LINT_AFTER_MS }),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    EditorView.domEventHandlers({ beforeinput: replaceSelected }),
    // Tab goes to the next field, as everywhere.
    keymap.of([...defaultKeymap, ...historyKeymap]),
    jsonEditorTheme,
  ]
}

/**
 * Text typed over a selection is put there by us: the browser would keep the look of what it replaces in a
 * style of its own making, which the page's policy refuses.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const selection = document.getSelection()
  if (event.inputType !== 'insertText' || event.data === null || view.composing) return false
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return false
  const range = selection.getRangeAt(0)
  const from = view.posAtDOM(range.startContainer, range.startOffset)
  const to = view.posAtDOM(range.endContainer, range.endOffset)
  if (from === to || view.state.readOnly) return false
  event.preventDefault()
  view.dispatch({
    changes: { from, to, insert: event.data },
    selection: { anchor: from + event.data.length },
    userEvent: 'input.type',
    scrollIntoView: true,
  })
  return true
}

/** Marks the place; what is wrong is said under the field. */
function findFault(text: string): Diagnostic[] {
  // Nothing yet is nothing wrong yet.
  const at = text.trim() === '' ? undefined : jsonErrorOffset(text)
  if (at === undefined) return []
  const from = Math.min(at, text.length)
  return [
    { from, to: Math.min(text.length, from + 1), severity: 'error', message: text.slice(from, from + 20) },
  ]
}
