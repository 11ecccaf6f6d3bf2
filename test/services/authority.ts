import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A throwaway authority for certificates; nobody trusts it but those who are told to. */
export class Authority {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tollgate-authority-'))

  constructor() {
    this.#openssl('req', '-x509', ...newKey('ca'), '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Throwaway')
  }

  /** What `NODE_EXTRA_CA_CERTS` takes. */
  get file(): string {
    return join(this.#folder, 'ca.pem')
  }

  get text(): string {
    return this.#read('ca.pem')
  }

  /** For a host, by its name or address. */
  issue(host: string): Certificate {
    this.#openssl('req', ...newKey(host), '-out', `${host}.csr`, '-subj', `/CN=${host}`)
    const kind = /^[\d.]+$/.test(host) ? 'IP' : 'DNS'
    writeFileSync(join(this.#folder, `${host}.ext`), `subjectAltName=${kind}:${host}`)
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial']
    const out = ['-out', `${host}.pem`, '-days', '2', '-extfile', `${host}.ext`]
    this.#openssl('x509', '-req', '-in', `${host}.csr`, ...issuer, ...out)
    return { key: this.#read(`${host}.key`), cert: this.#read(`${host}.pem`) }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8')
  }

  #openssl(...args: string[]): void {
    const run = Bun.spawnSync(['openssl', ...args], { cwd: this.#folder, stdout: 'ignore', stderr: 'pipe' })
    if (run.exitCode !== 0) throw new Error(run.stderr.toString())
  }
}

function newKey(name: string): string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`]
}
