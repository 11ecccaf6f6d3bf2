/** `openai/gpt-5` and `ft:gpt-5:house` are gpt-5. */
export function familyName(model: string): string {
  const bare = model.slice(model.lastIndexOf('/') + 1)
  return bare.startsWith('ft:') ? bare.slice(3) : bare
}

/** Models that OpenAI and Azure alone serve; gpt-oss is served by anybody. */
export function isOpenaiModel(model: string): boolean {
  return /^(gpt-\d|chatgpt-|o\d)/.test(familyName(model))
}

/** Models that OpenAI serves in its Responses API only. */
export function isResponsesOnly(model: string): boolean {
  return /^(o\d|gpt-\d[\d.]*)(-[a-z]+)?-pro\b|codex|deep-research|^computer-use/.test(familyName(model))
}

/** As 504 for 5.4; undefined for models that are not numbered so. */
export function gptVersion(name: string): number | undefined {
  const [, generation, minor = 0] = /^gpt-(\d)(?:\.(\d+))?(?!\d)/.exec(name) ?? []
  return generation === undefined ? undefined : Number(generation) * 100 + Number(minor)
}
