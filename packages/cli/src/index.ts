/** The published entry: the whole program as a function. */
export { exitCodes } from './program/exit.ts'
export { runGrantor } from './program/run.ts'
export type { Environment } from './program/environment.ts'
export { commandLinePage } from './completion/page.ts'
export { commands } from './commands/index.ts'
export { outputOptions } from './program/command.ts'
