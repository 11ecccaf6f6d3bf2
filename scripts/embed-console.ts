// Writes the module that carries the built console inside the one-file product: a map from a file's name,
// as the server knows it, to the place where the executable holds it.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function writeEmbeddedConsole(consoleFolder: string, modulePath: string): Promise<void> {
  // Without `dot` the scan leaves out our own records, which are never served.
  const files = [...new Bun.Glob('**/*').scanSync({ cwd: consoleFolder })].sort()
  const imports = files.map(
    (file, index) =>
      `import file${index} from ${JSON.stringify(`${consoleFolder}/${file}`)} with { type: 'file' }`,
  )
  const entries = files.map((file, index) => `  ${JSON.stringify(file)}: file${index},`)
  const module = [...imports, '', 'export const embeddedConsole = {', ...entries, '}', ''].join('\n')
  await mkdir(dirname(modulePath), { recursive: true })
  await writeFile(modulePath, module)
}
