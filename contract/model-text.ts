/** Which models a text means: in quotation marks the one of that name, otherwise all that have it in theirs. */
export function readModelText(text: string): { readonly name: string; readonly isWhole: boolean } {
  const isWhole = text.length > 2 && text.startsWith('"') && text.endsWith('"')
  return { name: isWhole ? text.slice(1, -1) : text, isWhole }
}

/** The text that means this model alone. */
export function wholeModel(name: string): string {
  return `"${name}"`
}

export function meansModel(text: string, model: string): boolean {
  const { name, isWhole } = readModelText(text)
  return isWhole ? model === name : model.toLowerCase().includes(name.toLowerCase())
}
