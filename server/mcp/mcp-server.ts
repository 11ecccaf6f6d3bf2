import type { Selectable } from 'kysely'
import { parseObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { log, rememberSecret } from '../log.ts'
import { secretsInAddress } from '../outbound/credentials.ts'
import { isCredentialHeader } from '../outbound/request-headers.ts'
import type { Cipher } from '../store/cipher.ts'
import { type McpServers, readToolPrices } from '../store/mcp-schema.ts'
import { mcpHeadersPlace } from '../store/sealed-places.ts'
import { splitList } from '../store/split-list.ts'

export type McpServerRow = Selectable<McpServers>

/** What is shorter is a word that may stand anywhere. */
const SHORTEST_SECRET = 8
/** In an answer it may stand by chance, and mean something else. */
const SHORTEST_PROOF = 12

/** A row of `mcp_servers` as it is used. It lives as long as its row stays the same. */
export class McpServer {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly proxy: string | undefined
  readonly groups: ReadonlySet<string>
  /** Undefined when any of its tools may be used. */
  readonly tools: ReadonlySet<string> | undefined
  readonly timeoutMs: number
  readonly isEnabled: boolean
  /** Another as soon as it is reached otherwise: what the one before said in confidence is not told to the next. */
  readonly mark: string
  readonly #row: McpServerRow
  readonly #cipher: Cipher
  /** By the names of tools. */
  readonly #prices: ReadonlyMap<string, number>
  #headers: Readonly<Record<string, string>> | undefined
  #proofs: readonly string[] | undefined

  constructor(row: McpServerRow, cipher: Cipher) {
    this.id = row.id
    this.name = row.name
    this.url = row.url
    this.proxy = row.proxy || undefined
    this.groups = new Set(splitList(row.group))
    this.tools = row.tools === '' ? undefined : new Set(row.tools.split('\n'))
    this.#prices = new Map(Object.entries(readToolPrices(row.tool_prices)))
    this.timeoutMs = row.timeout * 1000
    this.isEnabled = row.enabled === 1
    this.mark = cipher.hash('mcp-server', `${row.url}\0${row.headers_sealed}`).slice(0, 12)
    this.#row = row
    this.#cipher = cipher
  }

  /** Of one call of a tool, in quota and before the group's ratio. */
  priceOf(tool: string): number {
    return this.#prices.get(tool) ?? this.#row.price
  }

  /** What proves the gateway to it. */
  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= this.#unseal()
    return this.#headers
  }

  /** What it may say to nobody but us: where it is, and what proves us to it. */
  get secrets(): readonly string[] {
    const address = URL.parse(this.url)
    const hosts = address ? [address.host, address.hostname] : []
    const proofs = [...Object.values(this.headers).flatMap(secretsIn), ...this.#inAddresses]
    return [...hosts.filter(host => host !== ''), ...proofs.filter(({ length }) => length >= SHORTEST_SECRET)]
  }

  /**
   * What is in no answer either, however good: there, hosts are what was asked for, and so may be what a header says that
   * is no proof.
   */
  get proofs(): readonly string[] {
    this.#proofs ??= [
      ...Object.entries(this.headers).flatMap(([name, value]) =>
        isCredentialHeader(name.toLowerCase(), []) ? secretsIn(value) : [],
      ),
      ...this.#inAddresses,
    ].filter(({ length }) => length >= SHORTEST_PROOF)
    return this.#proofs
  }

  get #inAddresses(): readonly string[] {
    return [this.url, this.proxy ?? ''].flatMap(secretsInAddress)
  }

  #unseal(): Readonly<Record<string, string>> {
    const { id, headers_sealed } = this.#row
    if (headers_sealed === '') return {}
    try {
      const opened = parseObject(this.#cipher.open(mcpHeadersPlace(id), headers_sealed)) ?? {}
      for (const value of Object.values(opened))
        for (const secret of secretsIn(String(value))) rememberSecret(secret)
      return opened as Record<string, string>
    } catch (error) {
      log.error('the headers of an MCP server cannot be opened; it is not used', { server: id, error })
      throw new AppError('mcp.away', { server: this.name }, error)
    }
  }
}

/** With and without the word before it, such as Bearer. */
function secretsIn(value: string): string[] {
  return [value, value.slice(value.indexOf(' ') + 1)]
}
