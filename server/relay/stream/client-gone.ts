/** The client closed its connection: nobody is left to tell, and only what was produced is to be paid. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
  constructor() {
    super('the client closed the connection')
  }
}
