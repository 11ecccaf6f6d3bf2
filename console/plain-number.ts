/** A number as it is typed and pasted: with the wide digits of an input method, or with commas between thousands. */
export function plainNumber(text: string): string {
  const plain = text.normalize('NFKC').trim()
  return /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain) ? plain.replaceAll(',', '') : plain
}
