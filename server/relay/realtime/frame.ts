/** One message of a WebSocket, as it came. */
export type Frame = string | Buffer

/** Larger ones are refused, and no more than this waits for a side that does not take it. */
export const LARGEST_FRAME = 16 * 1024 * 1024
export const MOST_WAITING = 16 * 1024 * 1024
