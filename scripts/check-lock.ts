// Fails when package-lock.json would not install everywhere: an optional package of another platform that
// npm left out breaks `npm ci` on every machine, and a host name ties the file to one registry.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type LockedPackage = {
  readonly resolved?: string
  readonly integrity?: string
  readonly optionalDependencies?: Record<string, string>
}

const path = join(import.meta.dir, '../package-lock.json')
const packages: Record<string, LockedPackage> = JSON.parse(readFileSync(path, 'utf8')).packages
const installed = new Set(Object.keys(packages).map(key => key.slice(key.lastIndexOf('node_modules/') + 13)))

const faults = Object.entries(packages).flatMap(([key, { resolved, integrity, optionalDependencies }]) => [
  ...Object.keys(optionalDependencies ?? {})
    .filter(name => !installed.has(name))
    .map(name => `${key} names ${name}, which is not in the lock file: take a version published in full`),
  ...(resolved ? [`${key} names a registry: ${resolved}`] : []),
  ...(key !== '' && !integrity ? [`${key} has no integrity hash`] : []),
])
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
