/**
 * Has the runtime start its thread for outgoing calls and read the authorities it trusts, which it else does at the
 * first of them. Where no file is left to open by then it ends the process, or goes on without an authority of the
 * operator's for good. The address leads nowhere.
 */
export async function warmOutbound(): Promise<void> {
  await fetch('https://localhost/', { unix: '/nowhere/at-all' }).catch(() => {})
}
