// What the tests need from the system besides npm packages, and how to get it where we may.

import { existsSync } from 'node:fs'
import { findChromium, findProgram } from '../test/services/find-program.ts'

export type Service = {
  readonly name: string
  /** Its package on Debian and Ubuntu. */
  readonly aptPackage: string
  /** The tests that cannot run without it; absent when tests only look better with it. */
  readonly suites?: string
  readonly isHere: () => boolean
}

/** A proxy that operators put before the program, and the bare limit that the load rigs measure against. */
export const nginx: Service = {
  name: 'nginx',
  aptPackage: 'nginx-light',
  suites: 'the tests behind nginx and the comparison with it',
  isHere: () => Boolean(findProgram('nginx')),
}

export const services: readonly Service[] = [
  nginx,
  {
    name: 'PostgreSQL',
    aptPackage: 'postgresql',
    suites: 'every test on PostgreSQL',
    isHere: () => Boolean(findProgram('postgres') && findProgram('initdb')),
  },
  {
    name: 'PgBouncer',
    aptPackage: 'pgbouncer',
    suites: 'the tests behind a pooler',
    isHere: () => Boolean(findProgram('pgbouncer')),
  },
  {
    name: 'MariaDB',
    aptPackage: 'mariadb-server',
    suites: 'every test on MariaDB',
    isHere: () => Boolean(findProgram('mariadbd', 'mysqld') && findProgram('mariadb-install-db')),
  },
  {
    name: 'Redis',
    aptPackage: 'redis-server',
    suites: 'every test with several nodes on Redis',
    isHere: () => Boolean(findProgram('redis-server', 'valkey-server')),
  },
  {
    name: 'Chromium',
    aptPackage: 'chromium-headless-shell',
    suites: 'every test in the browser',
    isHere: () => Boolean(findChromium()),
  },
  {
    name: 'Chinese fonts',
    aptPackage: 'fonts-noto-cjk',
    isHere: () => process.platform !== 'linux' || existsSync('/usr/share/fonts/opentype/noto'),
  },
]

/** Installs what is missing where we may, and answers what is still missing after that. */
export function installMissing(wanted: readonly Service[] = services): Service[] {
  const missing = wanted.filter(service => !service.isHere())
  if (missing.length === 0) return []
  const command = installCommand(missing, { isRoot: process.getuid?.() === 0, ...packageTools() })
  if (command) {
    console.log(`Installing ${missing.map(({ name }) => name).join(', ')}…`)
    const install = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
    if (install.exitCode !== 0) console.error(`${install.stdout}${install.stderr}`)
  }
  return missing.filter(service => !service.isHere())
}

/** Debian starts a database as soon as it is installed; while this file is there it does not. */
const installScript = `
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod +x "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y --no-install-recommends install "$@"
`

type Powers = { readonly isRoot: boolean; readonly hasApt: boolean; readonly hasSudo: boolean }

/** The command that installs these, or undefined when this machine or account cannot. */
export function installCommand(missing: readonly Service[], powers: Powers): string[] | undefined {
  if (!powers.hasApt || !(powers.isRoot || powers.hasSudo)) return undefined
  const packages = missing.map(({ aptPackage }) => aptPackage)
  return [...(powers.isRoot ? [] : ['sudo', '-n']), 'sh', '-c', installScript, 'install', ...packages]
}

function packageTools(): { hasApt: boolean; hasSudo: boolean } {
  const sudo = findProgram('sudo')
  return {
    hasApt: Boolean(findProgram('apt-get')),
    hasSudo: sudo !== undefined && Bun.spawnSync([sudo, '-n', 'true']).exitCode === 0,
  }
}
