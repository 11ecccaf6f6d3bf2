/** The account that every installation of this family once began with. */
export function usesDefaultPassword(username: string, password: string): boolean {
  return username === 'root' && password === '123456'
}
