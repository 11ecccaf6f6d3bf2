/** A tool as it is shown to people. */
export interface ShownTool {
  readonly name: string
  readonly description: string
  /** Of one call of it, before the group's ratio. */
  readonly price: number
}

/** What a server says when it is asked for its tools. */
export interface McpTestOutcome {
  readonly title: string
  readonly version: string
  readonly tools: readonly ShownTool[]
}

/** Whoever can ask a server for its tools: the gateway is, for those who manage servers and may not know it. */
export interface McpTester {
  /** Whatever its state; refuses with what was wrong. */
  listTools(serverId: number): Promise<McpTestOutcome>
}
