import { LARGEST_FRAME, MOST_WAITING } from './frame.ts'
import type { RealtimeSession } from './realtime-session.ts'

/** The clients' ends of sessions, for `Bun.serve`. */
export const realtimeSocket: Bun.WebSocketHandler<RealtimeSession> = {
  maxPayloadLength: LARGEST_FRAME,
  backpressureLimit: MOST_WAITING,
  // Seconds; the server pings meanwhile, so only a client that is gone without a word is closed.
  idleTimeout: 120,
  open: socket => socket.data.attach(socket),
  message: (socket, frame) => socket.data.hearClient(frame),
  close: (socket, code, reason) => socket.data.clientClosed(code, reason),
}
