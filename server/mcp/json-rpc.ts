import { isObject, type JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'

export type RpcId = string | number

export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RpcId
  readonly method: string
  readonly params: JsonObject
}

export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

/** An answer of the client's: nobody here asks clients anything. */
interface RpcAnswer {
  readonly kind: 'answer'
}

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer

/** What the protocol numbers. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  refused: -32000,
  session: -32001,
  headers: -32020,
  version: -32022,
} as const

const LONGEST_ID = 256
const LONGEST_METHOD = 100

export function readMessage(json: JsonObject): RpcMessage {
  const { id, method, params = {} } = json
  if (json.jsonrpc !== '2.0') throw new AppError('mcp.not-rpc')
  if (method === undefined && ('result' in json || 'error' in json)) return { kind: 'answer' }
  if (typeof method !== 'string' || method.length > LONGEST_METHOD || !isObject(params))
    throw new AppError('mcp.not-rpc')
  if (id === undefined) return { kind: 'notification', method, params }
  if (!isId(id)) throw new AppError('mcp.not-rpc')
  return { kind: 'request', id, method, params }
}

export function isId(id: unknown): id is RpcId {
  return typeof id === 'number' ? Number.isFinite(id) : typeof id === 'string' && id.length <= LONGEST_ID
}

export function resultOf(id: RpcId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result }
}

/** An error that a server answered with, in the protocol's own form: it is handed on. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly code: number
  readonly data: JsonObject[string]

  constructor(code: number, message: string, data: JsonObject[string]) {
    super(message)
    this.code = code
    this.data = data
  }
}
