/** Why a server cannot start, for the person who starts it; the message says what to do. */
export class StartError extends Error {
  override readonly name = 'CannotStart'
}
