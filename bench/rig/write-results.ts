import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTable, type Table } from './print-table.ts'

const FILE = join(import.meta.dir, '..', 'results.md')

export function writeResults(rig: string, command: string, machine: string, tables: readonly Table[]): void {
  const body = [
    `- ${new Date().toISOString().slice(0, 10)}\n- ${machine}\n- \`${command}\`\n`,
    ...tables.map(table => `\`\`\`text\n${formatTable(table)}\n\`\`\`\n`),
  ]
  writeFileSync(FILE, putSection(readFileSync(FILE, 'utf8'), rig, body.join('\n')))
}

/** Puts the section in the place of the older one with its heading, or at the end. */
export function putSection(text: string, heading: string, body: string): string {
  const title = `## ${heading}\n`
  const [before = '', ...sections] = text.split(/^(?=## )/m)
  const at = sections.findIndex(known => known.startsWith(title))
  sections.splice(at < 0 ? sections.length : at, 1, `${title}\n${body}`)
  return [before, ...sections].map(part => `${part.trimEnd()}\n`).join('\n')
}
