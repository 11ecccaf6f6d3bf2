/** 0 or 1: the one form of a flag that all three engines store alike. */
export type Flag = number
/** Seconds since 1970. */
export type Seconds = number
/** Quota units; 64-bit in the database, always a safe integer here. */
export type Quota = number
