/** The reason why a server cannot start, for the person who starts it; the message says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/**
 * The error when a port could not be opened, naming the setting that chooses another; other errors are returned as is.
 */
export function bindError(cause: unknown, setting: string, port: number): unknown {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') return new StartError(`port ${port} is taken: choose another with ${setting}`, { cause })
  if (code === 'EACCES') return new StartError(`port ${port} may not be opened by this user: ${setting}`, { cause })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError('GRANTOR_HOST is not an address of this machine', { cause })
  }
  return cause
}
