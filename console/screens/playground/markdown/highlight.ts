import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import { purify } from './render-block.ts'

const known = { bash, css, go, javascript, json, python, sql, typescript, xml }
for (const [name, language] of Object.entries(known)) highlighter.registerLanguage(name, language)
highlighter.registerAliases(['sh', 'shell', 'console', 'zsh'], { languageName: 'bash' })
highlighter.registerAliases(['jsonc', 'json5'], { languageName: 'json' })

/** Longer code is read as it is: colours would cost more than they give. */
const MOST_COLOURED = 100_000

/** Undefined for a language that is not known. */
export function highlight(code: string, language: string): DocumentFragment | undefined {
  if (!highlighter.getLanguage(language) || code.length > MOST_COLOURED) return undefined
  return purify(highlighter.highlight(code, { language, ignoreIllegals: true }).value)
}
