import type { TextFile } from '../talk/conversation.ts'

const named =
  /\.(?:txt|md|markdown|csv|tsv|log|json|jsonl|ndjson|ya?ml|toml|ini|env|conf|xml|html?|css|scss|svg|sql|sh|bash|zsh|ps1|bat|py|ipynb|[cm]?[jt]sx?|vue|svelte|go|rs|rb|php|java|kt|swift|c|h|cc|cpp|hpp|cs|lua|r|pl|tex|diff|patch)$/i

/** What browsers say of a file's type is often nothing: then its name tells. */
export function isTextFile({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return type.startsWith('text/') || type === 'application/json' || named.test(name)
}

/** Throws where it is no text after all. */
export async function readTextFile(file: File): Promise<TextFile> {
  const text = await file.text()
  if (text.includes('\0')) throw new Error('not a text')
  return { name: file.name, text }
}

/** As a model is given it: what was asked, then each file under its name. */
export function withFiles(text: string, files: readonly TextFile[] = []): string {
  return [text, ...files.map(fence)].filter(part => part !== '').join('\n\n')
}

/** The fence is longer than any in the file. */
function fence({ name, text }: TextFile): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length))
  const marks = '`'.repeat(longest + 1)
  return `${name}\n${marks}\n${text.replace(/\n$/, '')}\n${marks}`
}
