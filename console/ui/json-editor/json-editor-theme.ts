import { EditorView } from '@codemirror/view'

export const jsonEditorTheme = EditorView.theme({
  '&': { maxHeight: '360px', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { minHeight: '80px', padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': { border: '0', background: 'none', color: 'var(--muted)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '36px', padding: '0 4px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-matchingBracket, .cm-nonmatchingBracket': { background: 'none' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--iris-soft)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--red-soft)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--red)' },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--red)' },
  // The words under the field say more.
  '.cm-tooltip-lint': { display: 'none' },
})
