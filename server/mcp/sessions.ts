import { asArray, asNumber, asText, type Json, parseObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import type { Cipher } from '../store/cipher.ts'
import { mcpSessionPlace } from '../store/sealed-places.ts'
import type { McpServer } from './mcp-server.ts'

/** A session with one server, inside the one that a client has with the gateway. */
export interface Joined {
  readonly serverId: number
  readonly mark: string
  readonly session: string
  readonly version: string
}

/** A header has to hold it, sealed, beside all others. */
const MOST_SIGNS = 4000
const LONGEST_SEALED = 8000

/**
 * A client's session is what it joins, sealed: every process of every machine can open it, nobody remembers it, and
 * nobody but the token's holder can use it.
 */
export function sealSession(cipher: Cipher, tokenId: number, joined: readonly Joined[]): string {
  const list = joined.map(({ serverId, mark, session, version }) => [serverId, mark, session, version])
  return cipher.seal(mcpSessionPlace(tokenId), JSON.stringify({ list }))
}

/** How many of them a header can hold. */
export function countFitting(joined: readonly Joined[]): number {
  let signs = 0
  const fits = joined.findIndex(({ session }) => {
    signs += session.length + 50
    return signs > MOST_SIGNS
  })
  return fits < 0 ? joined.length : fits
}

export function openSession(cipher: Cipher, tokenId: number, sealed: string): Joined[] {
  const text = sealed.length > LONGEST_SEALED ? undefined : tryOpen(cipher, tokenId, sealed)
  const list = text === undefined ? undefined : parseObject(text)?.list
  if (!Array.isArray(list)) throw new AppError('mcp.session')
  return list.map(readJoined)
}

function tryOpen(cipher: Cipher, tokenId: number, sealed: string): string | undefined {
  try {
    return cipher.open(mcpSessionPlace(tokenId), sealed)
  } catch {
    return undefined
  }
}

function readJoined(entry: Json): Joined {
  const [serverId, mark, session, version] = asArray(entry)
  return {
    serverId: asNumber(serverId) ?? 0,
    mark: asText(mark) ?? '',
    session: asText(session) ?? '',
    version: asText(version) ?? '',
  }
}

/** The session with this server; one that it gave before it was reached otherwise is over. */
export function joinedWith(joined: readonly Joined[], server: McpServer): Joined | undefined {
  const found = joined.find(({ serverId }) => serverId === server.id)
  if (found && found.mark !== server.mark) throw new AppError('mcp.session')
  return found
}
