/** Any HTTP API, Tavily, Exa and Serper: types of channels that serve no models, whatever the names of their services are. */
const services: ReadonlySet<number> = new Set([1001, 1002, 1003, 1004])

export function servesModels(channelType: number): boolean {
  return !services.has(channelType)
}
