import type { Frame } from './realtime/frame.ts'
import { LARGEST_JSON } from './request/read-body.ts'

export type ClientSocket = Bun.ServerWebSocket<SocketSession>

/** What stands behind a client's WebSocket. */
export interface SocketSession {
  /** The client's connection is there. */
  attach(client: ClientSocket): void
  hearClient(frame: Frame): void
  clientClosed(code: number, reason: string): unknown
  /** The client has taken some of what waited for it. */
  clientReads?(): void
}

/** The clients' ends of all sessions, for `Bun.serve`. */
export const clientSocket: Bun.WebSocketHandler<SocketSession> = {
  // As much as a body may have, and the end of an answer, which says all of it again; sessions that want less see to
  // that themselves.
  maxPayloadLength: LARGEST_JSON,
  backpressureLimit: LARGEST_JSON,
  // Seconds; the server pings meanwhile, so only a client that is gone without a word is closed.
  idleTimeout: 120,
  open: socket => socket.data.attach(socket),
  message: (socket, frame) => socket.data.hearClient(frame),
  drain: socket => socket.data.clientReads?.(),
  close: (socket, code, reason) => void socket.data.clientClosed(code, reason),
}
