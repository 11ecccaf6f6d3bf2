/** `kimi-k2.6` is 206, `k3` is 300; 0 when the name has none. */
export function versionOf(model: string): number {
  const [, generation, minor = 0] = /^(?:kimi-)?k(\d+)(?:[.p](\d+))?/i.exec(model) ?? []
  return generation === undefined ? 0 : Number(generation) * 100 + Number(minor)
}
