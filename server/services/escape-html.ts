/** Text from elsewhere as part of a mail or a page. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
  return text.replace(/[&<>"]/g, character => `&${names[character]};`)
}
