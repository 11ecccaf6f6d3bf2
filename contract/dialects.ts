/** The wire formats of chat that are spoken here, by clients and with upstreams. */
export const dialectNames = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
export type DialectName = (typeof dialectNames)[number]
