import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where database servers live although no shell has them in PATH, newest version first. */
function serverFolders(): string[] {
  const versions = foldersIn('/usr/lib/postgresql').map(folder => join(folder, 'bin'))
  const homebrew = ['/opt/homebrew/opt', '/usr/local/opt'].flatMap(foldersIn)
  const kegs = homebrew.filter(folder => /(postgresql|mariadb|redis)/.test(folder))
  return [...versions, '/usr/sbin', '/usr/local/sbin', ...kegs.map(folder => join(folder, 'bin'))]
}

function foldersIn(parent: string): string[] {
  if (!existsSync(parent)) return []
  const names = readdirSync(parent).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return names.map(name => join(parent, name))
}

/** The full path of the first of these programs that this machine has. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':').filter(Boolean), ...serverFolders()]
  for (const name of names) {
    const found = name.startsWith('/') ? [name] : folders.map(folder => join(folder, name))
    const usable = found.find(isExecutable)
    if (usable) return usable
  }
  return undefined
}

export function needProgram(...names: string[]): string {
  const found = findProgram(...names)
  if (!found) throw new Error(`${names[0]} is not on this machine: "npm test" installs it where it may`)
  return found
}

/** The one without a window of its own first: it draws the same pages for a third less. */
export function findChromium(): string | undefined {
  return findProgram(
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
