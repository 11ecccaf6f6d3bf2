/** `openai/gpt-5` and `ft:gpt-5:house` are gpt-5. */
export function familyName(model: string): string {
  const bare = model.slice(model.lastIndexOf('/') + 1)
  return bare.startsWith('ft:') ? bare.slice(3) : bare
}

/** Models that OpenAI and Azure alone serve; gpt-oss is served by anybody. */
export function isOpenaiModel(model: string): boolean {
  return /^(gpt-\d|chatgpt-|o\d)/.test(familyName(model))
}
