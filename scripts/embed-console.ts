// Writes the module that carries the built console inside the one-file product: a map from a file's name,
// as the server knows it, to the place where the executable holds it.

import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** `last build`: without the files of builds before it, which the folder keeps for pages that are open. */
export async function writeEmbeddedConsole(
  consoleFolder: string,
  modulePath: string,
  which: 'all' | 'last build',
): Promise<void> {
  // Without `dot` the scan leaves out our own records, which are never served.
  const all = [...new Bun.Glob('**/*').scanSync({ cwd: consoleFolder })].sort()
  const files = which === 'all' ? all : all.filter(ofLastBuild(consoleFolder))
  const imports = files.map(
    (file, index) =>
      `import file${index} from ${JSON.stringify(`${consoleFolder}/${file}`)} with { type: 'file' }`,
  )
  const entries = files.map((file, index) => `  ${JSON.stringify(file)}: file${index},`)
  const module = [...imports, '', 'export const embeddedConsole = {', ...entries, '}', ''].join('\n')
  await mkdir(dirname(modulePath), { recursive: true })
  await writeFile(modulePath, module)
}

type Manifest = Record<string, { file: string; css?: string[]; assets?: string[] }>

function ofLastBuild(consoleFolder: string): (file: string) => boolean {
  const manifest: Manifest = JSON.parse(readFileSync(join(consoleFolder, '.vite/manifest.json'), 'utf8'))
  const named = new Set(
    Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]),
  )
  return file => !file.startsWith('assets/') || named.has(file.replace(/\.(br|gz)$/, ''))
}
